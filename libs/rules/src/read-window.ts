import { CALENDAR_UNITS } from '@sluice/algorithms';
import { oneOf, text, type Check } from './checks.js';
import { ObjectReader } from './object-reader.js';
import { MAX_WINDOW_MS, MIN_WINDOW_MS, NOMINAL_WINDOW_SECONDS } from './rule-defaults.js';
import type { CalendarJson } from './rule.js';
import { isTimeZone } from './time-zone.js';

/**
 * The window of a quota: `window_seconds`, or `calendar` with its nominal `window_seconds` filled in. The two together
 * are accepted when they agree, since that is how a snapshot has them.
 */
export function readWindow(reader: ObjectReader): { calendar: CalendarJson | undefined; window_seconds: number } | undefined {
  if (!reader.has('calendar')) {
    const window_seconds = reader.required('window_seconds', windowSeconds);
    return window_seconds === undefined ? undefined : { calendar: undefined, window_seconds };
  }
  const calendar = reader.optional('calendar', readCalendar);
  const given = reader.optional('window_seconds', windowSeconds);
  if (calendar === undefined) return undefined;
  const nominal = NOMINAL_WINDOW_SECONDS[calendar.unit];
  if (given !== undefined && given !== nominal) {
    reader.fault('window_seconds', `must be absent beside a calendar, or ${String(nominal)} for the unit ${calendar.unit}`);
  }
  return { calendar, window_seconds: nominal };
}

const windowSeconds: Check<number> = (value, pointer, faults) => {
  if (typeof value === 'number') {
    const ms = Math.round(value * 1000);
    // ms / 1000 is the double nearest to that decimal, hence equal to any literal of at most three decimals.
    if (ms >= MIN_WINDOW_MS && ms <= MAX_WINDOW_MS && ms / 1000 === value) return value;
  }
  faults.push({ pointer, detail: 'must be a number of seconds between 0.1 and 31622400 (366 days), in whole milliseconds' });
  return undefined;
};

const UNIT = oneOf(CALENDAR_UNITS);
const ZONE_NAME = text(64);

const readCalendar: Check<CalendarJson> = (value, pointer, faults) => {
  const reader = ObjectReader.open(value, pointer, faults, ['unit', 'time_zone']);
  const unit = reader?.required('unit', UNIT);
  const time_zone = reader?.required('time_zone', timeZone);
  return unit === undefined || time_zone === undefined ? undefined : { unit, time_zone };
};

const timeZone: Check<string> = (value, pointer, faults) => {
  const name = ZONE_NAME(value, pointer, faults);
  if (name === undefined || isTimeZone(name)) return name;
  faults.push({ pointer, detail: 'must be an IANA time zone, such as Europe/Berlin' });
  return undefined;
};
