import { isAttributeValue } from './decision-event-fields.js';
import { MAX_ATTRIBUTE_CHARS, MAX_ATTRIBUTES } from './decision-event.js';

const MAX_NAME_CHARS = 64;

/**
 * Whether an attribute can have that name: 1 to 64 characters as names in rules have them (letters, digits, `_ . : / -`). `__proto__` is none: whoever
 * copies attributes into an object would set something else.
 */
export function isAttributeName(name: string): boolean {
  return /^[\w.:/-]{1,64}$/.test(name) && name !== '__proto__';
}

/** What is wrong with the `attributes` of an event; undefined when they are a record of texts within the bounds. */
export function attributesFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'has no attributes that are a JSON object';
  const names = Object.keys(value);
  if (names.length > MAX_ATTRIBUTES) return `has more than ${String(MAX_ATTRIBUTES)} attributes`;
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name of names) {
    if (!isAttributeName(name)) return `has an attribute whose name is not 1 to ${String(MAX_NAME_CHARS)} of letters, digits, _ . : / or -, or is __proto__`;
    if (!isAttributeValue(fields[name])) return `has no attributes.${name} that is a string of at most ${String(MAX_ATTRIBUTE_CHARS)} characters`;
  }
  return undefined;
}
