import { createLimiter, type Limiter } from '@sluice/limiter';
import type { RuleIndex } from '@sluice/rules';
import { rulesOf } from '../rules-of.js';
import type { Fact } from '../lab.js';

const START_MS = 1_000_000_000_000;

function version(run: string, number: number, freeLimit: number): RuleIndex {
  return rulesOf(number, [
    { rule_id: `${run}.free`, plan: 'free', limit: freeLimit, window_seconds: 1 },
    { rule_id: `${run}.domain`, limit: 60, window_seconds: 60 },
  ]);
}

async function admitted(limiter: Limiter, plan: string, requests: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: requests }, () => limiter.check({ key_id: `key-${plan}`, plan })));
  return decisions.filter(({ allowed }) => allowed).length;
}

/** Rules by plan, and the domain's default for whatever no rule names. */
export const rulesV1: Fact = {
  title: 'rules v1: plan free 5/s, everything else 60/min',
  async show({ store, clock, run }) {
    clock.set(START_MS);
    const limiter = createLimiter({ store, rules: version(`${run}.v1`, 1, 5), clock });
    const lines = [
      `plan free: ${await admitted(limiter, 'free', 25)} of 25 admitted`,
      `a plan that no rule names: ${await admitted(limiter, 'unheard-of', 100)} of 100 admitted, by the domain default`,
    ];
    await limiter.close();
    return lines;
  },
};

/** New rules in a running limiter: the counters stay, the limit is another. */
export const hotReload: Fact = {
  title: 'hot reload to rules v2: plan free 20/s, without a restart',
  async show({ store, clock, run }) {
    clock.set(START_MS);
    const limiter = createLimiter({ store, rules: version(`${run}.v2`, 1, 5), clock });
    const before = await admitted(limiter, 'free', 25);
    limiter.use(version(`${run}.v2`, 2, 20));
    const raised = await admitted(limiter, 'free', 25);
    clock.set(START_MS + 2000);
    const fresh = await admitted(limiter, 'free', 25);
    const lines = [
      `under v1 ${before} admitted; at once under v2 ${raised} more: exactly the difference`,
      `in a fresh window ${fresh} of 25 admitted, by snapshot version ${limiter.stats().snapshotVersion}`,
    ];
    await limiter.close();
    return lines;
  },
};
