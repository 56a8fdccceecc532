import { ALGORITHMS, NEVER, quota, type AlgorithmName, type QuotaInput } from '@sluice/algorithms';
import { runScript, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import { TestCounter } from './support/counter.js';
import { STORES, testKeys } from './support/redis.js';

const T0 = 1_764_000_000_000;

describe.each(STORES)('counters on $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  const counter = (algorithm: AlgorithmName, input: Omit<QuotaInput, 'algorithm'>, nowMs = T0): TestCounter =>
    new TestCounter(client, newKey(), quota({ algorithm, ...input }), nowMs);

  describe.each(ALGORITHMS)('%s', (algorithm) => {
    it('known failure 2: a denied cost takes nothing from the next, smaller one', async () => {
      const c = counter(algorithm, { limit: 10, windowMs: 60_000 });
      expect(await c.granted(8)).toEqual([8]);
      expect(await c.take(5)).toMatchObject({ granted: 0, remaining: 2 });
      expect(await c.granted(1, 1, 1)).toEqual([1, 1, 0]);
    });

    it('R21 grants between need and want, and tells when there is more', async () => {
      const c = counter(algorithm, { limit: 10, windowMs: 60_000 });
      expect(await c.take(3, 8)).toMatchObject({ granted: 8, remaining: 2, retryMs: expect.any(Number) });
      expect(await c.take(1, 50)).toMatchObject({ granted: 2, remaining: 0 });
      const denied = await c.take(2, 50);
      expect(denied).toMatchObject({ granted: 0, remaining: 0 });
      c.nowMs = T0 + denied.retryMs - 1;
      expect(await c.peek(2)).toMatchObject({ granted: 0, retryMs: 1 });
      c.nowMs = T0 + denied.retryMs;
      expect((await c.take(2, 50)).granted).toBeGreaterThanOrEqual(2);
    });

    it('R9, known failures 3 and 4: a cost above the capacity can never pass, and costs nothing', async () => {
      const c = counter(algorithm, { limit: 3, windowMs: 2_000, chargeDenied: true });
      expect(await c.take(4)).toMatchObject({ granted: 0, remaining: 3, retryMs: NEVER });
      expect((await c.stored()).dump).toBeUndefined();
      expect(await c.granted(1)).toEqual([1]);
      expect(await c.take(4, 9)).toMatchObject({ granted: 0, remaining: 2, retryMs: NEVER });
    });

    it('R9, known failure 13: cost 0 and any peek read without a trace', async () => {
      const c = counter(algorithm, { limit: 3, windowMs: 2_000 });
      expect(await c.peek()).toMatchObject({ granted: 0, remaining: 3, retryMs: 0, resetMs: 0 });
      expect((await c.stored()).dump).toBeUndefined();
      await c.take(2);
      const before = await c.stored();
      expect(await c.peek()).toMatchObject({ granted: 0, remaining: 1, retryMs: 0 });
      expect(await c.peek(2)).toMatchObject({ granted: 0, remaining: 1, retryMs: expect.any(Number) });
      expect(await c.peek(4)).toMatchObject({ granted: 0, remaining: 1, retryMs: NEVER });
      expect(await c.stored()).toEqual(before);
    });

    it('R9, known failure 7: a refund works at zero, and never lifts what remains above the limit', async () => {
      const c = counter(algorithm, { limit: 10, windowMs: 60_000 });
      const { bucket } = await c.take(10);
      expect(await c.refund(4, bucket)).toBe(4);
      expect((await c.peek()).remaining).toBe(4);
      expect(await c.refund(100, bucket)).toBe(6);
      expect(await c.peek()).toMatchObject({ remaining: 10, resetMs: 0 });
      expect(await c.refund(1, bucket)).toBe(0);
    });

    it('R9, known failure 72: a refund after its window is dropped, and writes nothing', async () => {
      const c = counter(algorithm, { limit: 10, windowMs: 1_000 });
      const { bucket } = await c.take(10);
      c.nowMs = T0 + 2_500;
      await c.take(5);
      const before = await c.stored();
      expect(await c.refund(10, bucket)).toBe(0);
      expect(await c.stored()).toEqual(before);
    });

    it('R23 returns the rest of an old lease on the way to the next', async () => {
      const c = counter(algorithm, { limit: 10, windowMs: 60_000 });
      const { bucket } = await c.take(10);
      const giveBack = { amount: 4, bucket };
      expect(await runScript(client, takeCommand(c.key, c.quota, 3, 50, { giveBack, nowMs: T0 }))).toMatchObject({ granted: 4, remaining: 0 });
      const late = { amount: 4, bucket: 0 };
      expect(await runScript(client, takeCommand(c.key, c.quota, 1, 1, { giveBack: late, nowMs: T0 }))).toMatchObject({ granted: 0 });
    });

    it('R9 a reset forgets the counter, and no other of its group', async () => {
      const c = counter(algorithm, { limit: 2, windowMs: 60_000 });
      const neighbour = new TestCounter(client, `${c.key}2`, c.quota, T0);
      expect(await c.granted(2, 1)).toEqual([2, 0]);
      expect(await neighbour.granted(2, 1)).toEqual([2, 0]);
      expect(await c.reset()).toBe(1);
      expect(await c.reset()).toBe(0);
      expect(await c.granted(2)).toEqual([2]);
      expect(await neighbour.granted(1)).toEqual([0]);
    });

    it('R61, known failures 10, 49 and 50: a raise gives its difference, a lower limit takes effect at once, the same one changes nothing', async () => {
      const c = counter(algorithm, { limit: 10, windowMs: 3_600_000 });
      for (let i = 0; i < 50; i += 1) await c.take();
      c.quota = quota({ ...c.quota, limit: 20, burst: 20 });
      expect((await c.peek()).remaining).toBe(10);
      expect(await c.take(10, 99)).toMatchObject({ granted: 10, remaining: 0 });
      const before = await c.stored();
      c.quota = quota({ ...c.quota });
      expect(await c.take()).toMatchObject({ granted: 0, remaining: 0 });
      c.quota = quota({ ...c.quota, limit: 5, burst: 5 });
      expect(await c.take()).toMatchObject({ granted: 0, remaining: 0 });
      expect(await c.stored()).toEqual(before);
      c.quota = quota({ ...c.quota, limit: 30, burst: 30 });
      expect((await c.peek()).remaining).toBe(10);
    });

    it('known failure 12: denials cost only where the rule says so, and at most twice the capacity', async () => {
      const c = counter(algorithm, { limit: 4, windowMs: 60_000, chargeDenied: true });
      await c.take(4);
      for (let i = 0; i < 20; i += 1) expect(await c.take(2)).toMatchObject({ granted: 0, remaining: 0 });
      c.quota = quota({ ...c.quota, limit: 9, burst: 9 });
      expect((await c.peek()).remaining).toBe(1);
    });
  });

  it('known failure 20: limit 1 a second, 200 calls a second apart: all allowed', async () => {
    // Not the plain sliding counter: its estimate holds the last window's one for the whole of the next.
    for (const algorithm of ALGORITHMS.filter((name) => name !== 'sliding_counter')) {
      const c = counter(algorithm, { limit: 1, windowMs: 1_000 });
      let granted = 0;
      for (let i = 0; i < 200; i += 1, c.nowMs = T0 + i * 1_000) granted += (await c.take()).granted;
      expect([algorithm, granted]).toEqual([algorithm, 200]);
    }
  });

  it('known failure 29: 1,000 calls in one frozen ms count as 1,000', async () => {
    for (const algorithm of ALGORITHMS) {
      const c = counter(algorithm, { limit: 1_000, windowMs: 60_000 });
      const grants = await Promise.all(Array.from({ length: 1_001 }, () => c.take()));
      expect([algorithm, grants.filter(({ granted }) => granted === 1).length]).toEqual([algorithm, 1_000]);
    }
  });

  it('R9 a refund to a bucket counts what has drained since, to the fraction', async () => {
    for (const algorithm of ['token_bucket', 'leaky_bucket', 'gcra'] as const) {
      const c = counter(algorithm, { limit: 10, windowMs: 60_000 });
      const { bucket } = await c.take(5);
      c.nowMs = T0 + 1;
      expect([algorithm, await c.refund(5, bucket)]).toEqual([algorithm, 5]);
      expect(await c.peek()).toMatchObject({ remaining: 10, resetMs: 0 });

      const later = await c.take(5);
      c.nowMs = T0 + 9_001;
      // 1.5 of the 5 have drained.
      expect([algorithm, await c.refund(5, later.bucket)]).toEqual([algorithm, 4]);
      expect((await c.peek()).remaining).toBe(10);
    }
  });

  it('a shaper holds back what comes after others, and grants what is asked for, not what is wanted', async () => {
    const c = counter('leaky_bucket', { limit: 10, windowMs: 1_000, burst: 3, shape: true });
    expect(await c.take(1, 3)).toMatchObject({ granted: 1, delayMs: 0 });
    expect(await c.take(1, 3)).toMatchObject({ granted: 1, delayMs: 100 });
    expect(await c.peek(1)).toMatchObject({ granted: 0, delayMs: 200 });
    expect(await c.take(1, 3)).toMatchObject({ granted: 1, delayMs: 200 });
    expect(await c.take(1, 3)).toMatchObject({ granted: 0, delayMs: 0, retryMs: 100 });
  });
});
