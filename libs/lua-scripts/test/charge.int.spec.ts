import { ALGORITHMS, quota, type AlgorithmName } from '@sluice/algorithms';
import { type ScriptClient } from '@sluice/lua-scripts';
import { TestCounter } from './support/counter.js';
import { STORES, testKeys } from './support/redis.js';

const MAX = Number.MAX_SAFE_INTEGER;

describe.each(STORES)('R14 charges on $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  const counter = (algorithm: AlgorithmName, limit = 5): TestCounter => new TestCounter(client, newKey(), quota({ algorithm, limit, windowMs: 60_000 }));

  describe.each(ALGORITHMS)('%s', (algorithm) => {
    it('R12 whatever is charged, the TTL is at most two windows and a second', async () => {
      const c = counter(algorithm);
      for (const amount of [1, 3, 100, MAX, MAX]) {
        await c.charge(amount);
        const ttlMs = await client.pttl(c.redisKey);
        expect(ttlMs).toBeGreaterThan(0);
        expect(ttlMs).toBeLessThanOrEqual(2 * 60_000 + 1_000);
      }
    });

    it('R7 known failure 6: a take from a counter in debt leaves every byte and the expiry as they were', async () => {
      const c = counter(algorithm);
      await c.charge(8);
      const before = await c.stored();
      expect(await c.take(1, 1_000)).toMatchObject({ granted: 0, remaining: 0 });
      expect(await c.stored()).toEqual(before);
    });

    it('so does a charge of nothing, and one that is for absent counters only', async () => {
      const c = counter(algorithm);
      c.nowMs = Date.now();
      expect(await c.charge(0)).toMatchObject({ granted: 0, remaining: 5, retryMs: 0 });
      expect((await c.stored()).dump).toBeUndefined();
      expect(await c.charge(2, true)).toMatchObject({ granted: 2, remaining: 3 });
      const before = await c.stored();
      expect(await c.charge(2, true)).toMatchObject({ granted: 0, remaining: 3 });
      expect(await c.charge(0)).toMatchObject({ granted: 0, remaining: 3 });
      expect(await c.stored()).toEqual(before);
    });

    it('known failure 17: what cannot be read counts as absent, and is replaced', async () => {
      const c = counter(algorithm);
      await client.sadd(c.redisKey, 'x');
      expect(await c.charge(7, true)).toMatchObject({ granted: 7, remaining: 0 });
      expect(await client.pttl(c.redisKey)).toBeGreaterThan(0);
    });

    it('R4 of many that start a counter at once one does', async () => {
      const c = counter(algorithm, 100);
      c.nowMs = Date.now();
      const charged = await Promise.all(Array.from({ length: 20 }, () => c.charge(30, true)));
      expect(charged.filter(({ granted }) => granted === 30)).toHaveLength(1);
      expect(await c.peek()).toMatchObject({ remaining: 70 });
    });
  });
});
