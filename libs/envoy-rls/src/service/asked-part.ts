import type { RequestPart } from '@sluice/limiter';
import type { RateLimitRequest } from '../messages.js';
import { MAX_DESCRIPTORS, TOO_MANY_DESCRIPTORS } from '../request-bounds.js';
import { descriptorAttributes } from './descriptor-attributes.js';
import { givenLimit } from './given-limit.js';
import { hitsOf } from './hits-of.js';

/** One descriptor as the engine takes it. */
export interface AskedPart extends RequestPart {
  /** Permits to give back before anything is decided; then the part itself is a peek. */
  readonly givesBack: number;
}

/** The parts of a request, one for each descriptor in their order, or what is wrong with it. */
export function askedParts({ domain, descriptors, hitsAddend }: RateLimitRequest): readonly AskedPart[] | string {
  if (descriptors.length > MAX_DESCRIPTORS) return TOO_MANY_DESCRIPTORS;
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
