import fc from 'fast-check';
import { createLimiter, memoryStore } from '@sluice/limiter';
import { compileSnapshot, validateSnapshot, type Override, type Rule, type Snapshot } from '@sluice/rules';
import { createReplay, type ReplayRequest } from '../src/index.js';
import { columnsOf } from './support/columns-of.js';

const START_MS = Date.UTC(2026, 10, 29, 23, 59, 0);
const KEYS = ['k1', 'k2', 'k3'];
const PLANS = ['free', 'pro'];
const ENDPOINTS = ['GET /a', 'GET /a/{id}', 'POST /b'];

const anyQuota = fc.oneof(
  fc.record({ algorithm: fc.constant('fixed_window' as const), charge_denied: fc.boolean() }),
  fc.record({ algorithm: fc.constant('fixed_window' as const), calendar: fc.record({ unit: fc.constantFrom('hour' as const, 'day' as const), time_zone: fc.constantFrom('UTC', 'Asia/Kolkata') }) }),
  fc.record({ algorithm: fc.constant('sliding_log' as const) }),
  fc.record({ algorithm: fc.constant('sliding_counter' as const), sub_buckets: fc.constantFrom(1, 5), charge_denied: fc.boolean() }),
  fc.record({ algorithm: fc.constantFrom('token_bucket' as const, 'gcra' as const), burst: fc.integer({ min: 1, max: 12 }), charge_denied: fc.boolean() }),
  fc.record({ algorithm: fc.constant('leaky_bucket' as const), burst: fc.integer({ min: 1, max: 12 }), shape: fc.boolean() }),
);

const anyRule = fc
  .record({
    quota: anyQuota,
    limit: fc.integer({ min: 1, max: 9 }),
    window_seconds: fc.constantFrom(0.5, 1, 10, 60),
    policy: fc.constantFrom('default', 'second', 'third'),
    mode: fc.constantFrom('enforce' as const, 'enforce' as const, 'enforce' as const, 'shadow' as const, 'off' as const),
    match: fc.record({ plan: fc.constantFrom(...PLANS), endpoint: fc.constantFrom(...ENDPOINTS, 'GET /a/*') }, { requiredKeys: [] }),
    count_by: fc.constantFrom(['key_id'], ['plan'], ['key_id', 'endpoint'], ['ip']),
  })
  .map(({ quota, match, limit, window_seconds, ...rest }) => ({ limit, window_seconds: 'calendar' in quota ? 3600 : window_seconds, ...rest, ...quota, ...match, consistency: 'exact' as const }));

const anySnapshot = fc
  .record({
    rules: fc.array(anyRule, { minLength: 2, maxLength: 6, size: 'max' }),
    overrides: fc.array(fc.record({ at: fc.nat(4), key: fc.constantFrom(...KEYS), limit: fc.integer({ min: 1, max: 15 }), lastsMs: fc.integer({ min: 0, max: 90_000 }) }), { maxLength: 3 }),
  })
  .map(({ rules, overrides }): Snapshot => ({
    version: 1,
    plans: PLANS.map((plan_id) => ({ plan_id, ...(plan_id === 'free' ? { default_limit: { limit: 6, window_seconds: 5 } } : {}) })),
    rules: rules.map((rule, at): Rule => ({ rule_id: `r${at}`, version: 1, ...rule })),
    overrides: overrides.map(({ at, key, limit, lastsMs }, number): Override => ({
      override_id: `o${number}`,
      rule_id: `r${at % rules.length}`,
      key_id: key,
      limit,
      expires_at: new Date(START_MS + lastsMs).toISOString(),
    })),
  }))
  .map((snapshot) => ({ ...snapshot, plans: snapshot.plans.map(exactDefault) }))
  .filter((snapshot) => validateSnapshot(snapshot).ok);

/** A plan's default limit cannot be `exact`; a log always is. */
function exactDefault(plan: Snapshot['plans'][number]): Snapshot['plans'][number] {
  return plan.default_limit === undefined ? plan : { ...plan, default_limit: { ...plan.default_limit, algorithm: 'sliding_log' } };
}

const anyRequest = fc.record({
  afterMs: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) }, { weight: 6, arbitrary: fc.integer({ min: 0, max: 400 }) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) }),
  cost: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, { weight: 3, arbitrary: fc.integer({ min: 1, max: 14 }) }, { weight: 1, arbitrary: fc.constant(0) }),
  attributes: fc.record(
    { key_id: fc.constantFrom(...KEYS), plan: fc.constantFrom(...PLANS), endpoint: fc.constantFrom(...ENDPOINTS, 'GET /a/7'), ip: fc.constantFrom('10.0.0.1', '2001:db8::1', '2001:db8::2', '::ffff:10.0.0.1') },
    { requiredKeys: ['key_id'] },
  ),
});

describe('R59 a replay of requests that were all recorded is the engine in exact consistency', () => {
  it('gives the same verdict, and names the same rule, for each of them; rules in shadow too', async () => {
    let refusals = 0;
    let multiples = 0;
    let shadows = 0;
    await fc.assert(
      fc.asyncProperty(anySnapshot, fc.array(anyRequest, { minLength: 40, maxLength: 80, size: 'max' }), async (snapshot, requests) => {
        let nowMs = START_MS;
        const clock = { nowMs: () => nowMs };
        const rules = compileSnapshot(snapshot);
        const shadow = new Map<string, number>();
        const limiter = createLimiter({
          store: memoryStore(clock),
          rules,
          clock,
          onShadow: ({ rule }, verdict) => {
            if (verdict !== 'denied') return;
            shadows += 1;
            shadow.set(rule.ruleId, (shadow.get(rule.ruleId) ?? 0) + 1);
          },
        });
        const replay = createReplay({ rules: snapshot });
        const recorded: ReplayRequest[] = [];
        const byRule = new Map<string, number>();
        for (const { afterMs, cost, attributes } of requests) {
          nowMs += afterMs;
          const live = await limiter.check(attributes, cost);
          const request = { atMs: nowMs, attributes, cost, wasAllowed: live.allowed, refusedBy: live.allowed ? undefined : live.deciding?.ruleId };
          recorded.push(request);
          const replayed = replay.decide(request);
          expect([replayed.allowed, replayed.ruleId]).toEqual([live.allowed, live.allowed ? undefined : live.deciding?.ruleId]);
          if (!live.allowed && live.deciding !== undefined) byRule.set(live.deciding.ruleId, (byRule.get(live.deciding.ruleId) ?? 0) + 1);
          refusals += live.allowed ? 0 : 1;
          multiples += live.policies.length > 1 ? 1 : 0;
        }
        const report = replay.report();
        // The same by columns, in two pieces with dictionaries of their own.
        const byColumns = createReplay({ rules, snapshot });
        for (const piece of [recorded.slice(0, 30), recorded.slice(30)]) byColumns.decideColumns(columnsOf(piece));
        expect(byColumns.report()).toEqual({ ...report, counters: expect.any(Number) });
        const counted = (mode: string): Map<string, number> => new Map(report.rules.filter((rule) => rule.mode === mode && rule.refused > 0).map(({ rule_id, refused }) => [rule_id, refused]));
        expect(counted('enforce')).toEqual(byRule);
        expect(new Map(report.recorded_rules.map(({ rule_id, really_refused }) => [rule_id, really_refused]))).toEqual(byRule);
        expect(counted('shadow')).toEqual(shadow);
        expect(report.total.compared).toMatchObject({ newly_refused: 0, newly_allowed: 0, same: requests.length });
        expect(report.total.interval).toEqual({ at_least: report.total.refused, at_most: report.total.refused, confidence: 1, unresolved: 0, reason: null });
        await limiter.close();
      }),
      { seed: 59, numRuns: 200, endOnFailure: true },
    );
    expect(refusals).toBeGreaterThan(1_000);
    expect(multiples).toBeGreaterThan(1_000);
    expect(shadows).toBeGreaterThan(200);
  });
});
