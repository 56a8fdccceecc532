import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@sluice/testkit';
import { createLimiter, memoryStore, redisStore, type LimiterOptions } from '../src/index.js';
import { rulesOf } from './support/fixture.js';

const rules = rulesOf([{ rule_id: 'r', limit: 1000, window_seconds: 60, consistency: 'exact' }]);
const key = { key_id: 'k' };

describe('R14 R93 nothing is lost without being counted', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  }, 30_000);
  afterAll(() => redis.stop());

  it('neither a settlement, nor a refund, nor a sign of life', async () => {
    const store = redisStore({ url: redis.url });
    await store.ready(5_000);
    const limiter = createLimiter({ store, rules });
    const [one, other, decision] = await Promise.all([limiter.reserve(key, 10), limiter.reserve(key, 10), limiter.check(key)]);
    const faults = (): number => limiter.stats().sideFaults;
    expect(faults()).toBe(0);
    redis.pause();
    const [settled] = await Promise.all([limiter.settle(one.id ?? '', 3), limiter.settle(other.id ?? '', 3), limiter.refund(decision)]);
    expect(settled.status).toBe('unavailable');
    expect(faults()).toBeGreaterThanOrEqual(3);
    const before = faults();
    await sleep(2_500);
    expect(faults()).toBeGreaterThan(before);
    // No decision was asked for meanwhile.
    expect(limiter.stats().faults).toBe(0);
    redis.resume();
    await sleep(800);
    expect((await limiter.settle(one.id ?? '', 3)).status).toBe('settled');
    await limiter.close();
    await store.close();
  }, 30_000);
});

describe('R10 a limiter that cannot be', () => {
  const refused: readonly [string, Partial<Record<keyof LimiterOptions, unknown>>][] = [
    ['more keys than the table holds', { maxKeys: 15_728_639 }],
    ['a name that every node may have', { nodeId: '' }],
    ['hot keys without a choice', { hotKeys: true }],
  ];
  it.each(refused)('is not made: %s', (_what, options) => {
    const made: LimiterOptions = { store: memoryStore(), rules, ...(options as Partial<LimiterOptions>) };
    expect(() => createLimiter(made)).toThrow(RangeError);
  });

  it('needs no clock for its memory', async () => {
    const limiter = createLimiter({ store: memoryStore(), rules });
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });
});
