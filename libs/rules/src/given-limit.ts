import type { Calendar } from '@sluice/algorithms';
import { MAX_WINDOW_MS, MIN_WINDOW_MS } from './rule-defaults.js';
import { isTimeZone } from './time-zone.js';

/** A limit that the caller of one request names instead of the rules, as Envoy's override is. */
export interface GivenLimit {
  /** Permits in a window, an integer of at least 0; 0 refuses everything. */
  readonly limit: number;
  /** 100 ms to 366 days; with `calendar` only nominal. */
  readonly windowMs: number;
  /** A window that follows the calendar: months and years differ in length. */
  readonly calendar?: Calendar | undefined;
}

/** @throws RangeError for what is no limit or no window. */
export function assertGivenLimit({ limit, windowMs, calendar }: GivenLimit): void {
  requireInteger('limit', limit, 0, Number.MAX_SAFE_INTEGER);
  requireInteger('windowMs', windowMs, MIN_WINDOW_MS, MAX_WINDOW_MS);
  if (calendar !== undefined && !isTimeZone(calendar.timeZone)) throw new RangeError(`a given limit needs an IANA time zone, got ${calendar.timeZone}`);
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  const fits = Number.isSafeInteger(value) && value >= least && value <= most;
  if (!fits) throw new RangeError(`${name} of a given limit must be an integer from ${least} to ${most}, got ${String(value)}`);
}
