import { counterKey } from '@sluice/lua-scripts';
import { normalizeIp, type CompiledRule, type RequestAttributes } from '@sluice/rules';

/** Addresses seen lately and what they count as; parsing one costs more than a decision. */
const MAX_KNOWN_ADDRESSES = 10_000;
let knownAddresses = new Map<string, string>();

/** The key of the counter that this request uses under a rule (R11); the rule applies, so its attributes are there. */
export function counterName(rule: CompiledRule, attributes: RequestAttributes, prefix: string): string {
  const { countBy } = rule;
  const first = countBy[0];
  const values = countBy.length === 1 && first !== undefined ? [valueOf(first, attributes)] : countBy.map((name) => valueOf(name, attributes));
  return counterKey(rule.identity, values, prefix);
}

/** Where the requests of a rule are counted together that came after it had too many keys: nobody is unlimited (R11, known failure 33). */
export function overflowName(rule: CompiledRule, prefix: string): string {
  return counterKey(rule.identity, [], prefix);
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
