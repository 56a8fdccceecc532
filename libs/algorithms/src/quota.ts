/** The six algorithms (R2). The names are the ones of the API. */
export const ALGORITHMS = [
  'fixed_window',
  'sliding_log',
  'sliding_counter',
  'token_bucket',
  'leaky_bucket',
  'gcra',
] as const;

export type AlgorithmName = (typeof ALGORITHMS)[number];

/** Calendar units that a fixed window can follow in an IANA time zone (R10). */
export const CALENDAR_UNITS = ['hour', 'day', 'week', 'month', 'year'] as const;

export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** A fixed window that follows the calendar of a time zone; weeks start on Monday (ISO 8601). */
export interface Calendar {
  readonly unit: CalendarUnit;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/**
 * How much may pass, as every algorithm reads it. All numbers are integers. A quota is a value: it holds neither the
 * counter's name nor a version, so that the same counter can be read under another quota (R61).
 */
export interface Quota {
  readonly algorithm: AlgorithmName;
  /** Permits per window, 1 to 2^53-1. */
  readonly limit: number;
  /** Window in ms, 100 to 366 days; with `calendar` only nominal. */
  readonly windowMs: number;
  /** Capacity of token_bucket, leaky_bucket and gcra, 1 to 2^53-1; equals `limit` for the window algorithms. */
  readonly burst: number;
  /** sliding_counter only: k sub-buckets, `windowMs` divisible by k; 1 is the plain two-bucket estimate. */
  readonly subBuckets: number;
  /** leaky_bucket only: a shaper, which admits with a delay, instead of a meter. */
  readonly shape: boolean;
  /** A denied take is counted as if it had passed, up to twice the capacity (R7; off by default). */
  readonly chargeDenied: boolean;
  /** fixed_window only. */
  readonly calendar?: Calendar;
}

/** Most permits that a counter can hold at once: a cost above it can never pass (`cost_exceeds_limit`). */
export function capacityOf(quota: Quota): number {
  return quota.burst;
}
