import fc from 'fast-check';
import { fixedLeases } from '../src/index.js';
import { allowed, checks, node, type RuleInput } from './support/fixture.js';

const key = { key_id: 'k1' };
const two = (consistency: 'leased' | 'exact'): RuleInput[] => [
  { rule_id: 'second', policy: 'second', limit: 10, window_seconds: 1, consistency },
  { rule_id: 'minute', policy: 'minute', limit: 12, window_seconds: 60, consistency },
];

describe.each(['leased', 'exact'] as const)('R8 several %s limits, all or none', (consistency) => {
  it('known failure 8: a refusal by one limit burns nothing of the other', async () => {
    const { limiter, clock } = node(two(consistency));
    expect(allowed(await checks(limiter, 11, key))).toBe(10);
    clock.advance(2000);
    expect(allowed(await checks(limiter, 7, key))).toBe(2);
    clock.advance(250);
    await new Promise((resolve) => setTimeout(resolve, 120));
    const limits = await limiter.limits(key);
    expect(limits.map(({ policy, remaining }) => [policy, remaining])).toEqual(expect.arrayContaining([['second', 8], ['minute', 0]]));
    await limiter.close();
  });

  it('charges every limit of an allowed request and none of a refused one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }),
        fc.array(fc.record({ together: fc.integer({ min: 1, max: 5 }), cost: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 12 }),
        async (limits, bursts) => {
          const rules = limits.map((limit, at) => ({ rule_id: `r${at}`, policy: `p${at}`, limit, window_seconds: 3600, consistency }));
          const { limiter } = node(rules);
          let charged = 0;
          for (const { together, cost } of bursts) {
            const decisions = await Promise.all(Array.from({ length: together }, () => limiter.check(key, cost)));
            charged += allowed(decisions) * cost;
            expect(charged).toBeLessThanOrEqual(Math.min(...limits));
          }
          const left = await limiter.limits(key);
          expect(left.map(({ limit, remaining }) => limit - remaining)).toEqual(limits.map(() => charged));
          await limiter.close();
        },
      ),
      { seed: 8, numRuns: 150 },
    );
  });

  it('known failure 9: a sibling route keeps what a refused request asked of the shared limit', async () => {
    const { limiter } = node([
      { rule_id: 'group', policy: 'group', limit: 10, window_seconds: 60, consistency },
      { rule_id: 'route', policy: 'route', endpoint: 'GET /a', limit: 3, window_seconds: 60, consistency },
    ]);
    expect(allowed(await checks(limiter, 5, { ...key, endpoint: 'GET /a' }))).toBe(3);
    expect(allowed(await checks(limiter, 9, { ...key, endpoint: 'GET /b' }))).toBe(7);
    await limiter.close();
  });
});

describe('R8 limits in one round trip', () => {
  it('asks for all that is short in one trip', async () => {
    const { limiter, store } = node(two('leased'), { sizing: fixedLeases(5) });
    await limiter.check(key);
    expect(store.trips).toBe(1);
    expect(store.asks).toHaveLength(2);
    await limiter.close();
  });
});
