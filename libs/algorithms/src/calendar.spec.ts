import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calendarBoundaries, calendarWindow } from './calendar.js';
import { CALENDAR_UNITS, type CalendarUnit } from './quota.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Zones with whole, half and quarter hours, both hemispheres, changes at midnight, a skipped day, and none at all. */
const ZONES = [
  'UTC', 'Europe/Berlin', 'Europe/London', 'Europe/Dublin', 'Europe/Moscow', 'America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo',
  'America/Santiago', 'America/Asuncion', 'America/Havana', 'America/St_Johns', 'America/Caracas', 'Africa/Cairo', 'Africa/Casablanca',
  'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tehran', 'Asia/Beirut', 'Asia/Gaza', 'Asia/Amman', 'Asia/Pyongyang', 'Atlantic/Azores',
  'Australia/Lord_Howe', 'Australia/Adelaide', 'Pacific/Apia', 'Pacific/Chatham', 'Pacific/Kiritimati', 'Pacific/Kwajalein', 'Antarctica/Troll',
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock as text that sorts by time, by another way than the code under test takes. */
function wallClock(timeZone: string, atMs: number): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, format);
  return format.format(atMs);
}

/** Names the period that the wall clock is in; sorts by time. */
function label(unit: Exclude<CalendarUnit, 'hour'>, timeZone: string, atMs: number): string {
  const date = wallClock(timeZone, atMs).slice(0, 10);
  if (unit === 'year') return date.slice(0, 4);
  if (unit === 'month') return date.slice(0, 7);
  if (unit === 'day') return date;
  const midnight = new Date(`${date}T00:00:00Z`);
  return new Date(midnight.getTime() - ((midnight.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}

const instants = fc.integer({ min: Date.UTC(1971, 0, 10), max: Date.UTC(2037, 11, 1) });

describe('R10 calendarWindow', () => {
  it.each(CALENDAR_UNITS)('cuts time into %ss without gap or overlap, in every zone', (unit) => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (timeZone, nowMs) => {
        const calendar = { unit, timeZone };
        const { startMs, endMs } = calendarWindow(calendar, nowMs);
        assert.ok(startMs <= nowMs && nowMs < endMs);
        assert.equal(calendarWindow(calendar, endMs).startMs, endMs);
        assert.equal(calendarWindow(calendar, startMs - 1).endMs, startMs);
        assert.deepEqual(calendarWindow(calendar, startMs), { startMs, endMs });
        assert.deepEqual(calendarWindow(calendar, endMs - 1), { startMs, endMs });
      }),
      { numRuns: 400, seed: 10 },
    );
  });

  it.each(['day', 'week', 'month', 'year'] as const)('a %s ends at the first instant at which the wall clock shows the next', (unit) => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, fc.double({ min: 0, max: 1, noNaN: true }), (timeZone, nowMs, share) => {
        const { startMs, endMs } = calendarWindow({ unit, timeZone }, nowMs);
        const own = label(unit, timeZone, startMs);
        assert.ok(label(unit, timeZone, startMs - 1) < own);
        assert.ok(label(unit, timeZone, endMs) > own);
        // A clock put back across midnight shows the day before again, never the one after.
        for (const insideMs of [endMs - 1, Math.floor(startMs + share * (endMs - 1 - startMs))]) {
          assert.ok(label(unit, timeZone, insideMs) <= own, `${own} at ${insideMs}`);
        }
      }),
      { numRuns: 500, seed: 23 },
    );
  });

  it('an hour starts at a full hour of the wall clock, or where the clock was changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (timeZone, nowMs) => {
        const { startMs, endMs } = calendarWindow({ unit: 'hour', timeZone }, nowMs);
        assert.ok(endMs - startMs <= HOUR_MS);
        const hour = (atMs: number): string => wallClock(timeZone, atMs).slice(0, 13);
        assert.equal(hour(startMs), hour(nowMs));
        assert.equal(hour(endMs - 1), hour(nowMs));
        const full = (atMs: number): boolean => wallClock(timeZone, atMs).endsWith(':00');
        if (endMs - startMs === HOUR_MS && new Date(startMs).getUTCSeconds() === 0) assert.ok(full(startMs) && full(endMs));
      }),
      { numRuns: 1000, seed: 60 },
    );
  });

  it.each([
    ['day', 'Europe/Berlin', '2024-03-31T12:00Z', '2024-03-31T00:00+01:00', '2024-04-01T00:00+02:00', 23],
    ['day', 'Europe/Berlin', '2024-10-27T12:00Z', '2024-10-27T00:00+02:00', '2024-10-28T00:00+01:00', 25],
    ['day', 'America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04T01:00-02:00', '2018-11-05T00:00-02:00', 23],
    ['day', 'America/Sao_Paulo', '2019-02-16T12:00Z', '2019-02-16T00:00-02:00', '2019-02-17T00:00-03:00', 25],
    ['day', 'Africa/Cairo', '2024-04-26T12:00Z', '2024-04-26T01:00+03:00', '2024-04-27T00:00+03:00', 23],
    ['day', 'Africa/Cairo', '2024-10-31T12:00Z', '2024-10-31T00:00+03:00', '2024-11-01T00:00+02:00', 25],
    // Put back from 00:01 to 23:01: the first minute of the 29th comes twice, and belongs to it both times.
    ['day', 'America/St_Johns', '2006-10-29T03:00Z', '2006-10-29T00:00-02:30', '2006-10-30T00:00-03:30', 25],
    // Samoa went over the date line and had no 30 December.
    ['day', 'Pacific/Apia', '2011-12-30T09:59Z', '2011-12-29T00:00-10:00', '2011-12-31T00:00+14:00', 24],
    ['day', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31T00:00+14:00', '2012-01-01T00:00+14:00', 24],
    ['week', 'Europe/Berlin', '2024-03-31T12:00Z', '2024-03-25T00:00+01:00', '2024-04-01T00:00+02:00', 7 * 24 - 1],
    ['week', 'UTC', '2027-01-01T00:00Z', '2026-12-28T00:00Z', '2027-01-04T00:00Z', 7 * 24],
    ['month', 'Europe/Berlin', '2024-02-29T22:59:59.999Z', '2024-02-01T00:00+01:00', '2024-03-01T00:00+01:00', 29 * 24],
    ['month', 'Europe/Berlin', '2024-03-31T21:59:59.999Z', '2024-03-01T00:00+01:00', '2024-04-01T00:00+02:00', 31 * 24 - 1],
    ['month', 'Asia/Kolkata', '2023-02-28T18:29Z', '2023-02-01T00:00+05:30', '2023-03-01T00:00+05:30', 28 * 24],
    ['year', 'America/New_York', '2024-07-01T00:00Z', '2024-01-01T00:00-05:00', '2025-01-01T00:00-05:00', 366 * 24],
    ['year', 'America/New_York', '2100-07-01T00:00Z', '2100-01-01T00:00-05:00', '2101-01-01T00:00-05:00', 365 * 24],
    // 01:00 to 02:00 comes twice: two windows.
    ['hour', 'America/New_York', '2024-11-03T05:59Z', '2024-11-03T01:00-04:00', '2024-11-03T02:00-04:00', 1],
    ['hour', 'America/New_York', '2024-11-03T06:01Z', '2024-11-03T01:00-05:00', '2024-11-03T02:00-05:00', 1],
    ['hour', 'Asia/Kolkata', '2024-01-01T00:00Z', '2024-01-01T05:00+05:30', '2024-01-01T06:00+05:30', 1],
    // Lord Howe goes back by half an hour: 01:30 to 02:00 comes twice.
    ['hour', 'Australia/Lord_Howe', '2024-04-06T15:10Z', '2024-04-07T01:30+10:30', '2024-04-07T02:00+10:30', 0.5],
  ] as const)('the %s in %s at %s', (unit, timeZone, now, start, end, hours) => {
    const startMs = Date.parse(start);
    const endMs = Date.parse(end);
    expect(endMs - startMs).toBe(hours * HOUR_MS);
    expect(calendarWindow({ unit, timeZone }, Date.parse(now))).toEqual({ startMs, endMs });
  });

  it('refuses an unknown zone', () => {
    expect(() => calendarWindow({ unit: 'day', timeZone: 'Mars/Base' }, 0)).toThrow(RangeError);
  });
});

describe('R10 calendarBoundaries', () => {
  it.each(CALENDAR_UNITS)('six starts of %ss, from two windows before to three after, that follow one another', (unit) => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (timeZone, nowMs) => {
        const calendar = { unit, timeZone };
        const boundaries = calendarBoundaries(calendar, nowMs);
        assert.equal(boundaries.length, 6);
        const { startMs, endMs } = calendarWindow(calendar, nowMs);
        assert.deepEqual(boundaries.slice(2, 4), [startMs, endMs]);
        for (let i = 1; i < boundaries.length; i += 1) {
          const window = calendarWindow(calendar, (boundaries[i] ?? 0) - 1);
          assert.deepEqual([window.startMs, window.endMs], boundaries.slice(i - 1, i + 1));
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('lie around now when the clock has gone back across midnight as well', () => {
    const calendar = { unit: 'day', timeZone: 'America/St_Johns' } as const;
    const boundaries = calendarBoundaries(calendar, Date.parse('2006-10-29T03:00Z'));
    expect(boundaries.slice(2, 4)).toEqual([Date.parse('2006-10-29T00:00-02:30'), Date.parse('2006-10-30T00:00-03:30')]);
  });

  it('are worked out once for a window, whoever asks', () => {
    const calendar = { unit: 'month', timeZone: 'Europe/Paris' } as const;
    const first = calendarBoundaries(calendar, Date.parse('2026-05-01T00:00+02:00'));
    expect(calendarBoundaries({ ...calendar }, Date.parse('2026-05-31T23:59+02:00'))).toBe(first);
    // A store whose clock is windows off is answered from the same six, without working them out anew.
    calendarWindow(calendar, Date.parse('2026-03-15T00:00Z'));
    expect(calendarBoundaries(calendar, Date.parse('2026-05-15T00:00Z'))).toBe(first);
  });
});
