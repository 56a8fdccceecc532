import { ALGORITHMS, algorithmFor, quota, type AlgorithmName, type CounterState, type QuotaInput } from '@sluice/algorithms';
import { type ScriptClient } from '@sluice/lua-scripts';
import { TestCounter } from './support/counter.js';
import { STORES, testKeys } from './support/redis.js';

const MAX = Number.MAX_SAFE_INTEGER;
const T0 = 1_764_000_000_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;

describe.each(STORES)('R10 edges on $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  const counter = (algorithm: AlgorithmName, input: Omit<QuotaInput, 'algorithm'>, nowMs = T0): TestCounter =>
    new TestCounter(client, newKey(), quota({ algorithm, ...input }), nowMs);

  describe.each(ALGORITHMS)('%s', (algorithm) => {
    it('2^53-1 permits, taken, given back and taken again, to the last one', async () => {
      const c = counter(algorithm, { limit: MAX, windowMs: YEAR_MS });
      expect((await c.peek()).remaining).toBe(MAX);
      const first = await c.take(MAX);
      expect(first).toMatchObject({ granted: MAX, remaining: 0 });
      expect(await c.take()).toMatchObject({ granted: 0, remaining: 0 });
      expect(await c.refund(MAX - 1, first.bucket)).toBe(MAX - 1);
      expect(await c.take(MAX - 1)).toMatchObject({ granted: MAX - 1, remaining: 0 });
      expect(await c.refund(1, first.bucket)).toBe(1);
      expect(await c.take(1, MAX)).toMatchObject({ granted: 1, remaining: 0 });
    });

    it('2^53-1 permits and charged denials: the use stops at 2^53-1', async () => {
      const c = counter(algorithm, { limit: MAX, windowMs: YEAR_MS, chargeDenied: true });
      await c.take(MAX - 1);
      for (const need of [MAX, 5, 1]) expect(await c.take(need)).toMatchObject({ granted: 0, remaining: 0 });
      expect((await c.peek()).remaining).toBe(0);
    });

    it('1e9 a day', async () => {
      const c = counter(algorithm, { limit: 1e9, windowMs: DAY_MS });
      expect(await c.take(999_999_999)).toMatchObject({ remaining: 1 });
      expect(await c.granted(1, 1)).toEqual([1, 0]);
    });

    it('limit 1 in a window of 100 ms and of a year', async () => {
      for (const windowMs of [100, YEAR_MS]) {
        const c = counter(algorithm, { limit: 1, windowMs });
        expect(await c.granted(1, 1)).toEqual([1, 0]);
        const { retryMs } = await c.peek(1);
        c.nowMs = T0 + retryMs;
        expect(await c.granted(1, 1)).toEqual([1, 0]);
      }
    });

    it('known failure 37: after ten years of idling it is wholly free', async () => {
      const c = counter(algorithm, { limit: 50, windowMs: 1_000 });
      await c.take(50);
      c.nowMs = T0 + 10 * YEAR_MS;
      expect(await c.take()).toMatchObject({ granted: 1, remaining: 49 });
    });

    it('known failure 45: and after two and a half windows', async () => {
      const c = counter(algorithm, { limit: 50, windowMs: 1_000 });
      await c.take(50);
      c.nowMs = T0 + 2_500;
      expect(await c.peek()).toMatchObject({ remaining: 50, resetMs: 0 });
    });

    it('a clock that steps back grants nothing anew', async () => {
      const c = counter(algorithm, { limit: 5, windowMs: 60_000 });
      await c.take(5);
      c.nowMs = T0 - 30_000;
      expect(await c.take()).toMatchObject({ granted: 0, remaining: 0, nowMs: T0 - 30_000 });
    });

    it('known failure 38: a wait is exact to the ms, as the pure function says', async () => {
      const c = counter(algorithm, { limit: 1, windowMs: 1_000 });
      const pure = algorithmFor(algorithm);
      let state: CounterState | undefined;
      for (const step of [0, 200, 333, 999, 1_000, 1_001, 2_750]) {
        c.nowMs = T0 + step;
        const taken = pure.take(state, c.quota, 1, 1, c.nowMs);
        state = taken.state;
        expect(await c.take()).toEqual(taken.outcome);
      }
    });
  });

  it('known failure 40: one token a second, polled every 10 ms for a minute, grants 60', async () => {
    for (const algorithm of ['token_bucket', 'leaky_bucket', 'gcra'] as const) {
      const c = counter(algorithm, { limit: 1, windowMs: 1_000 });
      const granted: number[] = [];
      for (let ms = 0; ms < 60_000; ms += 10) {
        c.nowMs = T0 + ms;
        granted.push((await c.take()).granted);
      }
      expect([algorithm, granted.filter((n) => n === 1).length]).toEqual([algorithm, 60]);
    }
  }, 30_000);

  it('known failure 38: 1 a second, 200 ms after the first, says 800', async () => {
    for (const algorithm of ['token_bucket', 'leaky_bucket', 'gcra', 'sliding_log'] as const) {
      const c = counter(algorithm, { limit: 1, windowMs: 1_000 });
      await c.take();
      c.nowMs = T0 + 200;
      expect([algorithm, (await c.take()).retryMs]).toEqual([algorithm, 800]);
    }
  });

  it('a calendar month in a named zone, summer time and leap day included', async () => {
    const c = counter('fixed_window', { limit: 3, calendar: { unit: 'month', timeZone: 'Europe/Berlin' } });
    c.nowMs = Date.UTC(2028, 1, 29, 22, 59, 59, 999);
    expect(await c.take(3)).toMatchObject({ granted: 3, bucket: Date.UTC(2028, 0, 31, 23), bucketEndsInMs: 1 });
    c.nowMs += 1;
    expect(await c.take(3)).toMatchObject({ granted: 3, bucket: Date.UTC(2028, 1, 29, 23) });
    c.nowMs = Date.UTC(2028, 2, 31, 21, 59, 59, 999);
    expect(await c.take(1)).toMatchObject({ granted: 0, retryMs: 1 });
    c.nowMs += 1;
    expect(await c.take(1)).toMatchObject({ granted: 1, bucket: Date.UTC(2028, 2, 31, 22) });
  });

  it('what a refund has seen expire stays gone when the clock then steps back', async () => {
    const c = counter('sliding_log', { limit: 9, windowMs: 1_000 });
    await c.take(1);
    c.nowMs = T0 + 900;
    const { bucket } = await c.take(2);
    c.nowMs = T0 + 1_100;
    expect(await c.refund(1, bucket)).toBe(1);
    c.nowMs = T0 + 950;
    expect((await c.peek()).remaining).toBe(8);
  });

  it('a long log: entries leave in order, denials and refunds in its midst find theirs', async () => {
    const c = counter('sliding_log', { limit: 4_000, windowMs: 10_000 });
    const pure = algorithmFor('sliding_log');
    let state: CounterState | undefined;
    const play = async (need: number, want: number): Promise<void> => {
      const taken = pure.take(state, c.quota, need, want, c.nowMs ?? 0);
      state = taken.state;
      expect(await c.take(need, want)).toEqual(taken.outcome);
    };
    for (let i = 0; i < 3_000; i += 1) {
      c.nowMs = T0 + i * 3;
      await play(1, 1 + (i % 3));
    }
    for (const at of [T0 + 3_000, T0 + 6_003, T0 + 8_997, T0 + 1]) {
      const given = pure.refund(state, c.quota, 2, at, c.nowMs ?? 0);
      state = given.state;
      expect(await c.refund(2, at)).toBe(given.refunded);
    }
    for (const need of [1, 700, 2_500, 4_000]) {
      c.nowMs = (c.nowMs ?? 0) + 900;
      await play(need, need);
    }
  });
});
