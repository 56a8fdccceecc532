import { jest } from '@jest/globals';
import { ALGORITHMS, calendarWindow, quota } from '@sluice/algorithms';
import { runScript, takeAllCommand, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import { TestCounter } from './support/counter.js';
import { keyTags, STORES, testKeys } from './support/redis.js';

describe.each(STORES)('R6 the clock of $name decides', ({ connect }) => {
  const newKey = testKeys();
  const newTag = keyTags();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());
  afterEach(() => jest.restoreAllMocks());

  const skewClock = (byMs: number): void => {
    const trueNow = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + byMs);
  };

  it.each(ALGORITHMS)('%s: decides in whole ms of TIME, whatever the clock of the node', async (algorithm) => {
    const c = new TestCounter(client, newKey(), quota({ algorithm, limit: 5, windowMs: 600_000 }));
    const before = Date.now();
    expect((await c.take()).granted).toBe(1);
    skewClock(-7 * 60_000);
    const late = await c.take();
    skewClock(9 * 60_000);
    const early = await c.take();
    jest.restoreAllMocks();
    const after = Date.now();
    for (const { nowMs } of [late, early]) {
      expect(Number.isInteger(nowMs)).toBe(true);
      expect(nowMs).toBeGreaterThanOrEqual(before);
      expect(nowMs).toBeLessThanOrEqual(after);
    }
    expect([late.remaining, early.remaining]).toEqual([3, 2]);
  });

  const yearlyInBerlin = quota({ algorithm: 'fixed_window', limit: 5, calendar: { unit: 'year', timeZone: 'Europe/Berlin' } });
  const hourlyInKolkata = quota({ algorithm: 'fixed_window', limit: 5, calendar: { unit: 'hour', timeZone: 'Asia/Kolkata' } });

  it('also of a calendar: a node that is hours off asks once more, with the boundaries around the time of the store', async () => {
    const key = newKey();
    const { startMs, endMs } = calendarWindow(hourlyInKolkata.calendar!, Date.now());
    for (const skewMs of [0, -5 * 3_600_000, 90 * 60_000, 40 * 86_400_000]) {
      skewClock(skewMs);
      const outcome = await runScript(client, takeCommand(key, hourlyInKolkata, 1, 1));
      jest.restoreAllMocks();
      expect(outcome.granted).toBe(1);
      // The hour may have ended while the test ran.
      expect([startMs, endMs]).toContain(outcome.bucket);
      expect(outcome.bucket + 3_600_000 - outcome.nowMs).toBe(outcome.bucketEndsInMs);
    }
  });

  it('also of calendars among several limits, and of a refund', async () => {
    const key = newTag();
    skewClock(5 * 366 * 86_400_000);
    const takes = [
      { key: key(1), quota: yearlyInBerlin, need: 2, want: 2 },
      { key: key(2), quota: hourlyInKolkata, need: 2, want: 2 },
    ];
    const [year, hour] = await runScript(client, takeAllCommand(takes));
    expect(year).toMatchObject({ granted: 2, remaining: 3 });
    expect(hour).toMatchObject({ granted: 2, remaining: 3 });
    const c = new TestCounter(client, key(1), yearlyInBerlin);
    expect(await c.refund(1, year?.bucket ?? 0)).toBe(1);
    jest.restoreAllMocks();
    expect((await c.peek()).remaining).toBe(4);
  });

  it('a node that is right sends one call', async () => {
    const command = takeCommand(newKey(), yearlyInBerlin, 1, 1);
    const again = jest.fn((reply: unknown) => command.again?.(reply));
    await runScript(client, { ...command, again });
    expect(again.mock.results).toEqual([{ type: 'return', value: undefined }]);
  });
});
