import type { Descriptor, LimitOverride, RateLimitRequest, RateLimitResponse } from '../../src/messages.js';
import type { RateLimitAnswer } from '../../src/service/rate-limit-service.js';

/** A descriptor with one value for each key. */
export function descriptor(entries: Readonly<Record<string, string>> | readonly (readonly [string, string])[], rest: { limit?: LimitOverride; hitsAddend?: number; isNegativeHits?: boolean } = {}): Descriptor {
  const pairs = Array.isArray(entries) ? (entries as readonly (readonly [string, string])[]) : Object.entries(entries);
  return { entries: pairs.map(([key, value]) => ({ key, value })), limit: rest.limit, hitsAddend: rest.hitsAddend, isNegativeHits: rest.isNegativeHits ?? false };
}

export function request(descriptors: readonly Descriptor[], { domain = 'test', hitsAddend = 0 }: { domain?: string; hitsAddend?: number } = {}): RateLimitRequest {
  return { domain, descriptors, hitsAddend };
}

/** The answer, which must not be a fault. */
export async function answered(answer: RateLimitAnswer | Promise<RateLimitAnswer>): Promise<RateLimitResponse> {
  const given = await answer;
  if ('code' in given) throw new Error(`answered with the fault ${given.code}: ${given.message}`);
  return given;
}

/** Our fields of the response, by name. */
export function fieldsOf({ responseHeadersToAdd }: RateLimitResponse): Readonly<Record<string, string>> {
  return Object.fromEntries(responseHeadersToAdd.map(({ key, value }) => [key, value]));
}
