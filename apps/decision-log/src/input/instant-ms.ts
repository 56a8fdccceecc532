/** The last ms that ISO 8601 has four digits of a year for; `Date` ends later, and throws after that. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether it is a moment that the API can name: ms since the epoch, from 1970 to 9999. */
export function isInstantMs(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LAST_MS;
}
