/// <reference lib="es2024.string" />
import { MAX_ATTRIBUTE_CHARS } from './decision-event.js';

/** Names and ids are at most this long, in UTF-16 units. */
export const MAX_NAME_CHARS = 256;
/** The last ms of the year 9999: every store can hold it, and no time of a request is later. */
export const MAX_AT_MS = 253_402_300_799_999;

const EVENT_ID = /^[\w-]{1,64}:(?:0|[1-9]\d{0,15})$/;

/** An integer of at least 0 that a double holds exactly. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** 1 to 256 characters, and no half of a surrogate pair: UTF-8 has none. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME_CHARS && value.isWellFormed();
}

export function isAttributeValue(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ATTRIBUTE_CHARS && value.isWellFormed();
}

/** `<producer>:<sequence>`: 1 to 64 letters, digits, _ or -, and an integer from 0 to 2^53-1 as it is written. */
export function isDecisionEventId(value: string): boolean {
  return EVENT_ID.test(value) && Number.isSafeInteger(Number(value.slice(value.lastIndexOf(':') + 1)));
}
