import type { AlgorithmName } from '@sluice/algorithms';
import { fixedLeases } from '../src/index.js';
import { checks, node } from './support/fixture.js';

const key = { key_id: 'k1' };
const rule = (algorithm: AlgorithmName) => [{ rule_id: 'r', limit: 40, burst: 40, window_seconds: 40, algorithm }];

describe('R70 costs that share a trip', () => {
  it.each(['token_bucket', 'leaky_bucket', 'gcra'] as const)('%s: each is told its own wait, to the ms', async (algorithm) => {
    for (const used of [30, 33, 40]) {
      const { limiter, clock } = node(rule(algorithm), { sizing: fixedLeases(1) });
      await checks(limiter, 1, key, used);
      const [small, great] = await Promise.all([limiter.check(key, 12), limiter.check(key, 25)]);
      expect(small).toMatchObject({ allowed: false, retryAfterMs: (12 - (40 - used)) * 1000 });
      const waitMs = (25 - (40 - used)) * 1000;
      expect(great).toMatchObject({ allowed: false, retryAfterMs: waitMs });
      clock.advance(waitMs - 1);
      expect((await limiter.check(key, 25)).allowed).toBe(false);
      clock.advance(1);
      expect((await limiter.check(key, 25)).allowed).toBe(true);
      await limiter.close();
    }
  });

  it.each(['token_bucket', 'gcra'] as const)('%s: also when the smaller one was granted', async (algorithm) => {
    const { limiter, clock } = node(rule(algorithm), { sizing: fixedLeases(1) });
    await checks(limiter, 1, key, 30);
    const [small, great] = await Promise.all([limiter.check(key, 5), limiter.check(key, 25)]);
    expect(small.allowed).toBe(true);
    clock.advance(great.retryAfterMs ?? 0);
    expect((await limiter.check(key, 25)).allowed).toBe(true);
    expect(great.retryAfterMs).toBeLessThanOrEqual(25_000);
    await limiter.close();
  });

  it('sliding_counter: waits for long enough', async () => {
    const { limiter, clock } = node(rule('sliding_counter'), { sizing: fixedLeases(1) });
    await checks(limiter, 1, key, 35);
    const [, great] = await Promise.all([limiter.check(key, 8), limiter.check(key, 25)]);
    clock.advance(great.retryAfterMs ?? 0);
    expect((await limiter.check(key, 25)).allowed).toBe(true);
    await limiter.close();
  });
});
