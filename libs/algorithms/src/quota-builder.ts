import { mulDiv } from './mul-div.js';
import { ALGORITHMS, CALENDAR_UNITS, type AlgorithmName, type Calendar, type CalendarUnit, type Quota } from './quota.js';
import { zoneOffsetMs } from './zone-offset.js';

/** What a quota is made from; what is left out takes its default. */
export interface QuotaInput {
  /** Default `sliding_counter` (R2). */
  readonly algorithm?: AlgorithmName | undefined;
  readonly limit: number;
  /** May be left out with `calendar`, as the longest that the unit can be. */
  readonly windowMs?: number | undefined;
  /** token_bucket, leaky_bucket and gcra; default `limit`. */
  readonly burst?: number | undefined;
  /** sliding_counter; default 1. */
  readonly subBuckets?: number | undefined;
  /** leaky_bucket; default false. */
  readonly shape?: boolean | undefined;
  /** Default false. */
  readonly chargeDenied?: boolean | undefined;
  /** fixed_window. */
  readonly calendar?: Calendar | undefined;
}

const DAY_MS = 86_400_000;
const LEAST_WINDOW_MS = 100;
const GREATEST_WINDOW_MS = 366 * DAY_MS;
/** Finer than this costs more than the log, which is exact. */
const MOST_SUB_BUCKETS = 1000;
/** 71,000 years: twice that and the date still fit into 2^53, so a theoretical arrival time never saturates within the burst. */
const LONGEST_DRAIN_MS = 2 ** 51;

const NOMINAL_WINDOW_MS: Readonly<Record<CalendarUnit, number>> = {
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
};

const BUCKETS: ReadonlySet<AlgorithmName> = new Set(['token_bucket', 'leaky_bucket', 'gcra']);

/** Fills in the defaults and checks; a quota given back to it stays as it is. Throws a RangeError that names the first fault. */
export function quota(input: QuotaInput): Quota {
  const { algorithm = 'sliding_counter', limit, subBuckets = 1, shape = false, chargeDenied = false, calendar } = input;
  check(ALGORITHMS.includes(algorithm), `algorithm must be one of ${ALGORITHMS.join(', ')}, not ${String(algorithm)}`);
  checkInteger('limit', limit, 1, Number.MAX_SAFE_INTEGER);
  if (calendar !== undefined) checkCalendar(algorithm, calendar);
  const { windowMs = calendar && NOMINAL_WINDOW_MS[calendar.unit] } = input;
  checkInteger('windowMs', windowMs, LEAST_WINDOW_MS, GREATEST_WINDOW_MS);

  const { burst = limit } = input;
  checkInteger('burst', burst, 1, Number.MAX_SAFE_INTEGER);
  check(burst === limit || BUCKETS.has(algorithm), `burst is for token_bucket, leaky_bucket and gcra, not for ${algorithm}`);
  if (algorithm === 'gcra') {
    check(mulDiv(burst, windowMs, limit).quotient <= LONGEST_DRAIN_MS, 'burst must drain within 2^51 ms for gcra: lower it or raise the limit');
  }

  checkInteger('subBuckets', subBuckets, 1, MOST_SUB_BUCKETS);
  check(subBuckets === 1 || algorithm === 'sliding_counter', `subBuckets is for sliding_counter, not for ${algorithm}`);
  check(windowMs % subBuckets === 0, `windowMs (${windowMs}) must be divisible by subBuckets (${subBuckets})`);
  check(!shape || algorithm === 'leaky_bucket', `shape is for leaky_bucket, not for ${algorithm}`);
  const base = { algorithm, limit, windowMs, burst, subBuckets, shape, chargeDenied };
  return Object.freeze(calendar === undefined ? base : { ...base, calendar });
}

function checkCalendar(algorithm: AlgorithmName, { unit, timeZone }: Calendar): void {
  check(algorithm === 'fixed_window', `calendar is for fixed_window, not for ${algorithm}`);
  check(CALENDAR_UNITS.includes(unit), `calendar.unit must be one of ${CALENDAR_UNITS.join(', ')}, not ${String(unit)}`);
  try {
    zoneOffsetMs(timeZone, 0);
  } catch (cause) {
    throw new RangeError(`calendar.timeZone must be an IANA time zone, not ${String(timeZone)}`, { cause });
  }
}

function checkInteger(name: string, value: number | undefined, least: number, most: number): asserts value is number {
  const fits = value !== undefined && Number.isSafeInteger(value) && value >= least && value <= most;
  check(fits, `${name} must be an integer from ${least} to ${most === Number.MAX_SAFE_INTEGER ? '2^53-1' : most}, not ${String(value)}`);
}

function check(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new RangeError(fault);
}
