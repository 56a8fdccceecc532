import type { RequestAttributes } from '@sluice/rules';
import type { Faults, JsonPath } from '../input/faults.js';
import { isObject, isText } from '../input/shapes.js';

export const MAX_DESCRIPTORS = 32;
/** UTF-16 units. */
export const MAX_KEY_LENGTH = 128;
/** UTF-8 bytes. */
export const MAX_VALUE_BYTES = 8192;
/** A UTF-16 unit takes so many bytes of UTF-8 at most. */
const BYTES_A_UNIT = 3;

/**
 * Inherits nothing, so that a descriptor named `constructor` or `__proto__` is one like any other. A class, since V8 keeps what
 * `Object.create(null)` makes as a dictionary, which is slower to fill and to read.
 */
class Attributes {
  [name: string]: string;
}
Reflect.deleteProperty(Attributes.prototype, 'constructor');
Object.setPrototypeOf(Attributes.prototype, null);

/** Request attributes from `[{key, value}]` and the domain; `faults` is told what is wrong, with pointers below `path`. */
export function readDescriptors(descriptors: unknown, domain: string, path: JsonPath, faults: Faults): RequestAttributes {
  const attributes = new Attributes();
  attributes['domain'] = domain;
  if (!Array.isArray(descriptors) || descriptors.length < 1 || descriptors.length > MAX_DESCRIPTORS) {
    faults.add(path, 'descriptors', `must be an array of 1 to ${MAX_DESCRIPTORS} descriptors`);
    return attributes;
  }
  for (let at = 0; at < descriptors.length; at += 1) {
    const descriptor: unknown = descriptors[at];
    if (isSound(descriptor, attributes)) attributes[descriptor.key] = descriptor.value;
    else tellFaults(descriptor, attributes, [...path, 'descriptors', at], faults);
  }
  return attributes;
}

function isSound(descriptor: unknown, attributes: RequestAttributes): descriptor is { readonly key: string; readonly value: string } {
  if (!isObject(descriptor)) return false;
  const { key, value } = descriptor;
  if (faultOfKey(key, attributes) !== undefined || !isValue(value)) return false;
  for (const name in descriptor) if (name !== 'key' && name !== 'value') return false;
  return true;
}

function tellFaults(descriptor: unknown, attributes: RequestAttributes, path: JsonPath, faults: Faults): void {
  if (!isObject(descriptor)) {
    faults.add(path, undefined, 'must be an object with key and value');
    return;
  }
  for (const name in descriptor) if (name !== 'key' && name !== 'value') faults.add(path, name, 'is not a known field');
  const keyFault = faultOfKey(descriptor['key'], attributes);
  if (keyFault !== undefined) faults.add(path, 'key', keyFault);
  if (!isValue(descriptor['value'])) faults.add(path, 'value', `must be a string of at most ${MAX_VALUE_BYTES} bytes`);
}

function faultOfKey(key: unknown, attributes: RequestAttributes): string | undefined {
  if (!isText(key, 1, MAX_KEY_LENGTH)) return `must be a string of 1 to ${MAX_KEY_LENGTH} characters`;
  if (key === 'domain') return 'must not be domain, which is a field of its own';
  return attributes[key] === undefined ? undefined : `must not repeat ${JSON.stringify(key)}`;
}

function isValue(value: unknown): value is string {
  return isText(value, 0, MAX_VALUE_BYTES) && (value.length <= MAX_VALUE_BYTES / BYTES_A_UNIT || Buffer.byteLength(value) <= MAX_VALUE_BYTES);
}
