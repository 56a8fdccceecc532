import { createLimiter, memoryStore } from '@sluice/limiter';
import type { Decision, Limiter } from '@sluice/limiter';
import { compileSnapshot, validateSnapshot } from '@sluice/rules';
import { fakeClock } from '@sluice/testkit';
import fc from 'fast-check';
import { rateLimitHeaders } from './rate-limit-headers.js';

const ALGORITHMS = ['fixed_window', 'sliding_log', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'] as const;
const CALLER = { plan: 'free', key_id: 'k1', ip: '203.0.113.9' };

const anyRule = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 60 })),
  window_seconds: fc.oneof(fc.integer({ min: 100, max: 3000 }), fc.integer({ min: 1000, max: 86_400_000 })).map((ms) => ms / 1000),
  sub_buckets: fc.constantFrom(1, 1, 2, 5),
  consistency: fc.constantFrom<'leased' | 'exact'>('leased', 'exact'),
});

type AnyRule = typeof anyRule extends fc.Arbitrary<infer T> ? T : never;

/** A rule as the API takes it: fields that its algorithm does not have are left out. */
function ruleOf({ algorithm, window_seconds, sub_buckets, ...rest }: AnyRule, index: number) {
  const windowMs = Math.round(window_seconds * 1000);
  const splits = algorithm === 'sliding_counter' && windowMs % sub_buckets === 0 && windowMs / sub_buckets >= 100;
  return { rule_id: `rule-${index}`, version: 1, policy: `policy-${index}`, algorithm, window_seconds, ...rest, ...(splits ? { sub_buckets } : {}) };
}

/** Several limits at once. */
const severalRules = fc.array(anyRule, { minLength: 2, maxLength: 3 });

const scenario = fc.record({
  rules: fc.oneof({ weight: 2, arbitrary: anyRule.map((rule) => [rule]) }, { weight: 1, arbitrary: severalRules }),
  startMs: fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
  /** Ms between the requests that use the quota up. */
  gapsMs: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 5, maxLength: 40 }),
  cost: fc.integer({ min: 1, max: 3 }),
});

async function hammer(limiter: Limiter, clock: { advance(ms: number): void }, gapsMs: readonly number[], cost: number): Promise<Decision | undefined> {
  for (let i = 0; i < 400; i++) {
    const decision = await limiter.check(CALLER, cost);
    if (!decision.allowed) return decision;
    // Slow quotas are used up by the burst that comes at last.
    if (i < 100) clock.advance(gapsMs[i % gapsMs.length] ?? 0);
  }
  return undefined;
}

describe('R70 known failure 35: who waits exactly Retry-After is allowed', () => {
  it('holds for 600 random rule sets, one in three with several limits, on the engine with its leases', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rules, startMs, gapsMs, cost }) => {
        const snapshot = validateSnapshot({ version: 1, plans: [], rules: rules.map(ruleOf), overrides: [] });
        if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.faults));
        const clock = fakeClock(startMs);
        const limiter = createLimiter({ store: memoryStore(clock), clock, rules: compileSnapshot(snapshot.value) });
        const refusal = await hammer(limiter, clock, gapsMs, cost);
        if (refusal === undefined) return;
        const headers = rateLimitHeaders(refusal);
        expect(headers['Cache-Control']).toBe('no-store');
        const { 'Retry-After': wait } = headers;
        if (refusal.reason === 'cost_exceeds_limit') {
          expect(wait).toBeUndefined();
          return;
        }
        refused++;
        expect(wait).toMatch(/^[1-9]\d*$/);
        expect(Number(headers['X-RateLimit-Reset'])).toBeGreaterThan(clock.nowMs() / 1000);
        clock.advance(Number(wait) * 1000);
        const again = await limiter.check(CALLER, cost);
        expect(again).toMatchObject({ allowed: true });
      }),
      { numRuns: 600, seed: 35_070 },
    );
    expect(refused).toBeGreaterThan(300);
  }, 30_000);
});
