import { periodStart, type DateUnit } from './calendar-period.js';
import type { Calendar, CalendarUnit } from './quota.js';
import { offsetChangeMs, zoneOffsetMs } from './zone-offset.js';

/** One window of a calendar, [startMs, endMs), in ms since the epoch. */
export interface CalendarWindow {
  readonly startMs: number;
  readonly endMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Windows before the one that holds now, and after it, in {@link calendarBoundaries}. */
const BEFORE = 2;
const AFTER = 3;

/** The boundaries around the last instant asked for, by unit and zone; as many as rules name, which are few. */
const known: Readonly<Record<CalendarUnit, Map<string, readonly number[]>>> = {
  hour: new Map(),
  day: new Map(),
  week: new Map(),
  month: new Map(),
  year: new Map(),
};

/**
 * The calendar's window that holds `nowMs`: every instant lies in exactly one. Days of 23 and 25 hours are as long as they are;
 * a day whose midnight does not exist starts when the clocks are put forward, one whose midnight comes twice at the first.
 * Hours that come twice are two windows. Throws a RangeError for an unknown zone (R10).
 */
export function calendarWindow(calendar: Calendar, nowMs: number): CalendarWindow {
  const cached = known[calendar.unit].get(calendar.timeZone);
  const boundaries = cached !== undefined && windowIn(cached, nowMs) !== undefined ? cached : calendarBoundaries(calendar, nowMs);
  return windowIn(boundaries, nowMs) ?? windowAt(calendar, nowMs);
}

/**
 * Six ascending window starts: of two windows before the one that holds `nowMs`, its own, and three after it. A store whose
 * clock differs from the caller's finds its window among them: the last start at or before its time; the next one ends it.
 */
export function calendarBoundaries(calendar: Calendar, nowMs: number): readonly number[] {
  const cached = known[calendar.unit].get(calendar.timeZone);
  if (cached !== undefined && nowMs >= (cached[BEFORE] ?? Infinity) && nowMs < (cached[BEFORE + 1] ?? 0)) return cached;
  const { startMs, endMs } = windowAt(calendar, nowMs);
  const boundaries = [startMs, endMs];
  for (let i = 0, at = startMs; i < BEFORE; i += 1) boundaries.unshift((at = windowAt(calendar, at - 1).startMs));
  for (let i = 1, at = endMs; i < AFTER; i += 1) boundaries.push((at = windowAt(calendar, at).endMs));
  known[calendar.unit].set(calendar.timeZone, Object.freeze(boundaries));
  return boundaries;
}

function windowIn(boundaries: readonly number[], nowMs: number): CalendarWindow | undefined {
  for (let i = 1; i < boundaries.length; i += 1) {
    const startMs = boundaries[i - 1] ?? Infinity;
    const endMs = boundaries[i] ?? 0;
    if (startMs <= nowMs && nowMs < endMs) return { startMs, endMs };
  }
  return undefined;
}

function windowAt({ unit, timeZone }: Calendar, nowMs: number): CalendarWindow {
  return unit === 'hour' ? hourAt(timeZone, nowMs) : dateWindowAt(unit, timeZone, nowMs);
}

/** The hour of the wall clock, cut off where the offset changes within it (zones that shift by half an hour). */
function hourAt(timeZone: string, nowMs: number): CalendarWindow {
  const intoMs = mod(nowMs + zoneOffsetMs(timeZone, nowMs), HOUR_MS);
  const startMs = nowMs - intoMs;
  const endMs = startMs + HOUR_MS;
  return {
    startMs: offsetChangeMs(timeZone, startMs, nowMs) ?? startMs,
    endMs: offsetChangeMs(timeZone, nowMs, endMs) ?? endMs,
  };
}

function dateWindowAt(unit: DateUnit, timeZone: string, nowMs: number): CalendarWindow {
  const localMs = nowMs + zoneOffsetMs(timeZone, nowMs);
  let ahead = 0;
  let startMs = firstInstantOf(timeZone, periodStart(unit, localMs, 0));
  let endMs = firstInstantOf(timeZone, periodStart(unit, localMs, 1));
  // The clock was put back across midnight: the date is yesterday's again, but today has begun.
  while (endMs <= nowMs) {
    ahead += 1;
    startMs = endMs;
    endMs = firstInstantOf(timeZone, periodStart(unit, localMs, ahead + 1));
  }
  return { startMs, endMs };
}

/** The first instant at which the zone's wall clock shows `localMs` or later. */
function firstInstantOf(timeZone: string, localMs: number): number {
  // The instant lies within 14 hours of the reading taken as UTC. Zones change their offset at most once in two days.
  const fromMs = localMs - DAY_MS;
  const toMs = localMs + DAY_MS;
  const changeMs = offsetChangeMs(timeZone, fromMs, toMs);
  const byEarlierOffset = localMs - zoneOffsetMs(timeZone, fromMs);
  if (changeMs === undefined || byEarlierOffset < changeMs) return byEarlierOffset;
  return Math.max(changeMs, localMs - zoneOffsetMs(timeZone, toMs));
}

function mod(a: number, b: number): number {
  return ((a % b) + b) % b;
}
