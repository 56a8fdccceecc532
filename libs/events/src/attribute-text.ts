/// <reference lib="es2024.string" />
import { hash } from 'node:crypto';
import { MAX_ATTRIBUTE_CHARS } from './decision-event.js';

const HASH_DIGITS = 16;
const MARK = '…#';

/**
 * An attribute's value as events have it: well-formed, and at most 256 characters. Of a longer one the beginning and a hash of the whole, so that two that
 * begin alike stay apart. Who looks for one has to ask for it as it is written here.
 */
export function attributeText(value: string): string {
  const text = value.toWellFormed();
  if (text.length <= MAX_ATTRIBUTE_CHARS) return text;
  const start = text.slice(0, MAX_ATTRIBUTE_CHARS - MARK.length - HASH_DIGITS).toWellFormed();
  return `${start}${MARK}${hash('sha256', text, 'hex').slice(0, HASH_DIGITS)}`;
}
