import { startRedis, type RedisServer } from '@sluice/testkit';
import { createLimiter, fixedLeases, redisStore, type Limiter, type RedisStore } from '../../src/index.js';
import { allowed, rulesOf } from '../support/fixture.js';

const LIMIT = 10_000;
const CHUNK = 100;
const TIMEOUT_MS = 200;
const KEYS = ['a', 'b', 'c'];
const RULES = rulesOf([{ rule_id: 'r', limit: LIMIT, window_seconds: 86_400 }]);

describe('R44 close()', () => {
  let redis: RedisServer;
  let store: RedisStore;
  let limiter: Limiter;

  beforeEach(async () => {
    redis = await startRedis();
    store = redisStore({ url: redis.url, timeoutMs: TIMEOUT_MS });
    await store.ready(5000);
    limiter = createLimiter({ store, rules: RULES, sizing: fixedLeases(CHUNK) });
    // One of a hundred spent of each key.
    for (const key_id of KEYS) expect((await limiter.check({ key_id })).allowed).toBe(true);
  }, 60_000);
  afterEach(async () => {
    await store.close();
    await redis.stop();
  });

  const closedInMs = async (): Promise<number> => {
    const startedMs = performance.now();
    await limiter.close();
    return performance.now() - startedMs;
  };

  it('gives every lease back, also what requests in the air are granted meanwhile', async () => {
    const inTheAir = Promise.all(Array.from({ length: 150 }, () => limiter.check({ key_id: 'late' })));
    await limiter.close();
    expect(allowed(await inTheAir)).toBe(150);
    const observer = createLimiter({ store, rules: RULES });
    const left = await Promise.all([...KEYS, 'late'].map(async (key_id) => (await observer.limits({ key_id }))[0]?.remaining));
    expect(left).toEqual([LIMIT - 1, LIMIT - 1, LIMIT - 1, LIMIT - 150]);
    expect(limiter.stats().lost).toBe(0);
    await observer.close();
  });

  it('does not wait for a store that hangs, and counts what it could not give back', async () => {
    redis.pause();
    const tookMs = await closedInMs();
    redis.resume();
    process.stdout.write(`R44: closed in ${tookMs.toFixed(0)} ms while Redis hung (its timeout: ${TIMEOUT_MS} ms)\n`);
    expect(limiter.stats().lost).toBe(KEYS.length * (CHUNK - 1));
    // One for a beat that may be in the air, one for the returns; the rest is room for a busy machine.
    expect(tookMs).toBeLessThan(4 * TIMEOUT_MS);
  }, 20_000);

  it('nor for one that is gone', async () => {
    await redis.kill();
    expect(await closedInMs()).toBeLessThan(4 * TIMEOUT_MS);
    expect(limiter.stats().lost).toBe(KEYS.length * (CHUNK - 1));
  }, 20_000);
});
