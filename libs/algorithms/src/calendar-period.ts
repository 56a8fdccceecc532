import type { CalendarUnit } from './quota.js';

/** Units that start at a local midnight. */
export type DateUnit = Exclude<CalendarUnit, 'hour'>;

/**
 * The local midnight at which the period starts that holds `localMs`, or the one `ahead` periods later. Local times are
 * wall-clock readings written as if they were UTC, in ms. Weeks start on Monday (ISO 8601).
 */
export function periodStart(unit: DateUnit, localMs: number, ahead: number): number {
  const date = new Date(localMs);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const day = date.getUTCDate();
  switch (unit) {
    case 'day':
      return Date.UTC(year, month, day + ahead);
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7) + 7 * ahead);
    case 'month':
      return Date.UTC(year, month + ahead, 1);
    case 'year':
      return Date.UTC(year + ahead, 0, 1);
  }
}
