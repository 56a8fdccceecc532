import { counterKey, shardKey } from '@sluice/lua-scripts';
import { normalizeIp, type CompiledRule, type RequestAttributes } from '@sluice/rules';
import type { Terms } from './lease/terms.js';

/** Addresses seen lately and what they count as; parsing one costs more than a decision. */
const MAX_KNOWN_ADDRESSES = 10_000;
let knownAddresses = new Map<string, string>();

/** What tells a rule's counters apart: the value of the attribute that it counts by, or of each where there are several or none. */
export type CounterValues = string | readonly string[];

/** The values that this request counts under (R11); the rule applies, so its attributes are there. */
export function counterValues({ countBy }: CompiledRule, attributes: RequestAttributes): CounterValues {
  const first = countBy[0];
  return countBy.length === 1 && first !== undefined ? valueOf(first, attributes) : valuesOf(countBy, attributes);
}

/** By itself: a function with a closure in it pays for that also where the closure is not made. */
function valuesOf(names: readonly string[], attributes: RequestAttributes): readonly string[] {
  return names.map((name) => valueOf(name, attributes));
}

export function sameValues(a: CounterValues, b: CounterValues): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

/** Where the requests of a rule are counted together that came after it had too many keys: nobody is unlimited (R11, known failure 33). */
export const OVERFLOW: CounterValues = [];

/** The key, in the store, of the counter that these terms are of: a shard's, where they are a shard's. */
export function keyOf({ rule, keyPrefix, shard }: Terms, values: CounterValues): string {
  const name = counterName(rule.identity, values, keyPrefix);
  return shard === undefined ? name : shardKey(name, shard.at, shard.of);
}

/** The key of a whole counter in the store. */
export function counterName(identity: string, values: CounterValues, prefix: string): string {
  return counterKey(identity, typeof values === 'string' ? [values] : values, prefix);
}

function valueOf(name: string, attributes: RequestAttributes): string {
  const value: string | undefined = attributes[name];
  if (value === undefined) return '';
  return name === 'ip' ? countedAddress(value) : value;
}

/** IPv6 by its subnet, IPv4-mapped as IPv4; what is no address counts as it is written. */
function countedAddress(text: string): string {
  let counted = knownAddresses.get(text);
  if (counted === undefined) {
    counted = normalizeIp(text) ?? text;
    if (knownAddresses.size >= MAX_KNOWN_ADDRESSES) knownAddresses = new Map();
    knownAddresses.set(text, counted);
  }
  return counted;
}
