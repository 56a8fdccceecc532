import type { GivenLimit } from '@sluice/limiter';
import { type LimitOverride, OVERRIDE_UNITS } from '../messages.js';

type Window = Omit<GivenLimit, 'limit'>;

/** What a rule of that unit has: months and years are those of the calendar in UTC, with the longest that they can be as the window. */
const WINDOWS: Readonly<Record<(typeof OVERRIDE_UNITS)[number], Window | undefined>> = {
  UNKNOWN: undefined,
  SECOND: { windowMs: 1000 },
  MINUTE: { windowMs: 60_000 },
  HOUR: { windowMs: 3_600_000 },
  DAY: { windowMs: 86_400_000 },
  MONTH: { windowMs: 31 * 86_400_000, calendar: { unit: 'month', timeZone: 'UTC' } },
  YEAR: { windowMs: 366 * 86_400_000, calendar: { unit: 'year', timeZone: 'UTC' } },
};

/** The limit that a descriptor brings along; undefined for a unit that there is not. */
export function givenLimit({ requestsPerUnit, unit }: LimitOverride): GivenLimit | undefined {
  const name = OVERRIDE_UNITS[unit];
  const window = name === undefined ? undefined : WINDOWS[name];
  return window === undefined ? undefined : { limit: requestsPerUnit, ...window };
}
