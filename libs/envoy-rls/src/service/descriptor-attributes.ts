import type { RequestAttributes } from '@sluice/rules';
import type { Descriptor } from '../messages.js';
import { MAX_ENTRIES, tooManyEntries } from '../request-bounds.js';

export const MAX_KEY_LENGTH = 128;
/**
 * Attributes without inherited names, so that an entry named `constructor` or `__proto__` is one like any other. An object of a class,
 * unlike one of `Object.create(null)`, stays in the engine's fast form.
 */
class Attributes {
  [name: string]: string | undefined;
}
Object.setPrototypeOf(Attributes.prototype, null);
Reflect.deleteProperty(Attributes.prototype, 'constructor');

/**
 * The attributes of one descriptor, or what is wrong with it (INVALID_ARGUMENT): `domain`, each entry by its key, and a key that comes
 * again as `key_2`, `key_3`. `remote_address`, which is what Envoy calls the client's address, is the attribute `ip` as well unless there is
 * an entry of that name: so rules that count by `ip` hold here too, with the subnets of IPv6. A descriptor without entries, which Envoy
 * sends when all its actions skip, has the domain alone.
 *
 * What is wrong is the fault of whoever configured Envoy: keys and their number. Values are the client's, and none is refused, however long:
 * Envoy lets a request pass whose call failed, so that a long header field would be the way around every limit.
 *
 * @param at place of the descriptor in the request, for the text
 */
export function descriptorAttributes(domain: string, { entries }: Descriptor, at: number): RequestAttributes | string {
  if (entries.length > MAX_ENTRIES) return tooManyEntries(at);
  const attributes = new Attributes();
  attributes['domain'] = domain;
  let address: string | undefined;
  for (let each = 0; each < entries.length; each += 1) {
    const entry = entries[each];
    if (entry === undefined) continue;
    const { key, value } = entry;
    const fault = faultOfKey(key);
    if (fault !== undefined) return `descriptors[${at}].entries[${each}].${fault}`;
    const name = attributes[key] === undefined ? key : nameOfRepeated(entries, each);
    if (attributes[name] !== undefined) return `descriptors[${at}].entries[${each}].key must not name ${JSON.stringify(name)} twice; a key that comes again is named KEY_2, KEY_3`;
    attributes[name] = value;
    if (name === 'remote_address') address = value;
  }
  if (address !== undefined && attributes['ip'] === undefined) attributes['ip'] = address;
  return attributes;
}

/** `key_2` of the second entry with that key, `key_3` of the third. */
function nameOfRepeated(entries: Descriptor['entries'], at: number): string {
  const key = entries[at]?.key ?? '';
  let count = 1;
  for (let before = 0; before < at; before += 1) if (entries[before]?.key === key) count += 1;
  // The first of that key, in the place of a repeated one: a clash.
  return count === 1 ? key : `${key}_${count}`;
}

function faultOfKey(key: string): string | undefined {
  if (key === 'domain') return 'key must not be domain, which is a field of its own';
  return key.length >= 1 && key.length <= MAX_KEY_LENGTH ? undefined : `key must be a string of 1 to ${MAX_KEY_LENGTH} characters`;
}
