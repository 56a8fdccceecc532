import { isAttributeName, isSecretAttribute, MAX_ATTRIBUTES, STANDARD_ATTRIBUTES } from '@sluice/events';
import type { DecisionStreamOptions } from './decision-stream-options.js';
import { LEAST_SHARE } from './sampler.js';

const MOST_SLOTS = 2 ** 20;

/** @throws RangeError for what no stream can be made of, with the option's name. */
export function checkOptions({ region, nodeId, app, capacity, allowShare, ruleShares, attributes, maxPerSecond }: DecisionStreamOptions): void {
  for (const [name, value] of Object.entries({ region, nodeId, app })) {
    if (value.length < 1 || value.length > 256) throw new RangeError(`${name} must have 1 to 256 characters`);
  }
  if (capacity !== undefined && !(Number.isInteger(Math.log2(capacity)) && capacity >= 2 && capacity <= MOST_SLOTS)) {
    throw new RangeError(`capacity must be a power of two from 2 to ${String(MOST_SLOTS)}, got ${String(capacity)}`);
  }
  if (allowShare !== undefined) checkShare('allowShare', allowShare);
  for (const [ruleId, share] of ruleShares ?? []) checkShare(`the share of rule ${ruleId}`, share);
  if (maxPerSecond !== undefined && !(Number.isFinite(maxPerSecond) && maxPerSecond >= 1)) throw new RangeError(`maxPerSecond must be a number of at least 1, got ${String(maxPerSecond)}`);
  const names = new Set<string>([...STANDARD_ATTRIBUTES, ...(attributes ?? [])]);
  for (const name of names) if (!isAttributeName(name)) throw new RangeError(`attributes must be names of 1 to 64 letters, digits, _ . : / or -, got ${name}`);
  for (const name of names) if (isSecretAttribute(name)) throw new RangeError(`attributes must hold no secret, and ${name} is the name of one`);
  if (names.size > MAX_ATTRIBUTES) throw new RangeError(`attributes must be at most ${String(MAX_ATTRIBUTES)} with the standard ones, got ${String(names.size)}`);
}

function checkShare(name: string, share: number): void {
  if (!(share === 0 || (share >= LEAST_SHARE && share <= 1))) throw new RangeError(`${name} must be 0, or ${String(LEAST_SHARE)} to 1, got ${String(share)}`);
}
