import { normalizeIp, type RequestAttributes } from '@sluice/rules';

/** Addresses seen lately and what they count as; parsing one costs more than a decision. */
const MAX_KNOWN_ADDRESSES = 10_000;
let knownAddresses = new Map<string, string>();

/** What a request counts as by one attribute, as the engine has it: addresses by their client, anything else as it is written (R11). */
export function countedValue(name: string, attributes: RequestAttributes): string {
  const value: string | undefined = attributes[name];
  if (value === undefined) return '';
  return name === 'ip' ? countedAddress(value) : value;
}

function countedAddress(text: string): string {
  let counted = knownAddresses.get(text);
  if (counted === undefined) {
    counted = normalizeIp(text) ?? text;
    if (knownAddresses.size >= MAX_KNOWN_ADDRESSES) knownAddresses = new Map();
    knownAddresses.set(text, counted);
  }
  return counted;
}
