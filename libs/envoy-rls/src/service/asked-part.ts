import type { RequestPart } from '@sluice/limiter';
import type { RateLimitRequest } from '../messages.js';
import { descriptorAttributes } from './descriptor-attributes.js';
import { givenLimit } from './given-limit.js';
import { hitsOf } from './hits-of.js';

/** More in one request than any route has use for; each is a counter of one atomic step at least. */
export const MAX_DESCRIPTORS = 64;

/** One descriptor as the engine takes it. */
export interface AskedPart extends RequestPart {
  /** Permits to give back before anything is decided; then the part itself is a peek. */
  readonly givesBack: number;
}

/** The parts of a request, one for each descriptor in their order, or what is wrong with it. */
export function askedParts({ domain, descriptors, hitsAddend }: RateLimitRequest): readonly AskedPart[] | string {
  if (descriptors.length > MAX_DESCRIPTORS) return `descriptors must have at most ${MAX_DESCRIPTORS} entries`;
  const parts: AskedPart[] = [];
  for (const [at, descriptor] of descriptors.entries()) {
    const attributes = descriptorAttributes(domain, descriptor, at);
    if (typeof attributes === 'string') return attributes;
    const { limit, isNegativeHits } = descriptor;
    const given = limit === undefined ? undefined : givenLimit(limit);
    if (limit !== undefined && given === undefined) return `descriptors[${at}].limit.unit must be SECOND, MINUTE, HOUR, DAY, MONTH or YEAR, not ${limit.unit}`;
    const hits = hitsOf(descriptor, hitsAddend);
    parts.push({ attributes, given, cost: isNegativeHits ? 0 : hits, givesBack: isNegativeHits ? hits : 0 });
  }
  return parts;
}
