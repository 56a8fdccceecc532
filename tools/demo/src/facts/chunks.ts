import { createLimiter, fixedLeases } from '@sluice/limiter';
import { rulesOf } from '../rules-of.js';
import type { Fact, Lab } from '../lab.js';

const REQUESTS = 2000;

/** A lease serves from memory what would else be a trip for each request. */
export const chunks: Fact = {
  title: `${REQUESTS} requests on one key, leased in chunks of 50`,
  async show(lab) {
    const leased = await asksFor(lab, 'leased');
    const exact = await asksFor(lab, 'exact');
    return [`${leased} trips to the store instead of ${exact}`];
  },
};

async function asksFor({ store, clock, run }: Lab, consistency: 'leased' | 'exact'): Promise<number> {
  clock.set(1_000_000_000_000);
  const rules = rulesOf(1, [{ rule_id: `${run}.${consistency}`, limit: 100_000, window_seconds: 60, consistency }]);
  const limiter = createLimiter({ store, rules, clock, sizing: fixedLeases(50) });
  for (let request = 0; request < REQUESTS; request += 1) await limiter.check({ key_id: 'demo' });
  const { asks } = limiter.stats();
  await limiter.close();
  return asks;
}
