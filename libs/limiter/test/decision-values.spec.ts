import { fixedLeases, type Decision } from '../src/index.js';
import { checks, node, rulesOf, type RuleInput } from './support/fixture.js';

const key = { key_id: 'k1' };
const leased: RuleInput = { rule_id: 'r', version: 7, limit: 100, window_seconds: 60, algorithm: 'fixed_window' };
const exact: RuleInput = { ...leased, consistency: 'exact' };

/** As it is written into a log or an answer. */
function written(decision: Decision): unknown {
  return JSON.parse(JSON.stringify(decision));
}

const outcome = {
  policy: 'default',
  ruleId: 'r',
  ruleVersion: 7,
  allowed: true,
  limit: 100,
  windowMs: 60_000,
  retryMs: 0,
  reason: 'ok',
  delayMs: 0,
};

describe('R45 a decision is a value, wherever it came from', () => {
  it.each([
    ['local', leased, 98],
    ['store', exact, 98],
  ] as const)('writes out all of one that is %s', async (source, rule, remaining) => {
    const { limiter, clock } = node(rulesOf([rule], { version: 42 }), { sizing: fixedLeases(10) });
    const [, decision] = await checks(limiter, 2, key);
    const policy = { ...outcome, source, remaining, resetMs: 60_000, charge: expect.objectContaining({ key: expect.stringContaining('k1'), amount: 1 }) };
    expect(decision && written(decision)).toEqual({
      allowed: true,
      reason: 'ok',
      deciding: policy,
      policies: [policy],
      shadow: [],
      delayMs: 0,
      cost: 1,
      nowMs: clock.nowMs(),
      snapshotVersion: 42,
    });
    await limiter.close();
  });

  it('writes out a refusal, with its wait and without a charge', async () => {
    const { limiter } = node([{ ...exact, limit: 1 }]);
    const [, decision] = await checks(limiter, 2, key);
    const policy = { ...outcome, limit: 1, allowed: false, reason: 'quota', source: 'store', remaining: 0, resetMs: 60_000, retryMs: 60_000 };
    expect(decision && written(decision)).toMatchObject({ allowed: false, reason: 'quota', retryAfterMs: 60_000, deciding: policy, policies: [policy] });
    expect(decision?.deciding?.charge).toBeUndefined();
    await limiter.close();
  });

  it('names the deciding outcome among the others, the same object', async () => {
    const { limiter } = node([leased, { ...leased, rule_id: 'tight', policy: 'tight', limit: 5 }, { ...leased, rule_id: 's', mode: 'shadow' }]);
    const decision = await limiter.check(key);
    expect(decision.policies).toHaveLength(2);
    expect(decision.policies).toContain(decision.deciding);
    expect(decision.deciding?.ruleId).toBe('tight');
    await new Promise((resolve) => setImmediate(resolve));
    expect(written(decision)).toMatchObject({ policies: [{ ruleId: 'r' }, { ruleId: 'tight' }], shadow: [{ ruleId: 's' }] });
    await limiter.close();
  });

  it('keeps what it said, whatever comes after it', async () => {
    const { limiter, clock } = node([leased], { sizing: fixedLeases(10) });
    const decisions = await checks(limiter, 2, key);
    const before = decisions.map(written);
    clock.advance(30_000);
    limiter.use(rulesOf([{ ...leased, version: 8, limit: 7 }], { version: 2 }));
    const later = await checks(limiter, 12, key);
    expect(decisions.map(written)).toEqual(before);
    expect(later.at(-1)?.deciding).toMatchObject({ ruleVersion: 8, limit: 7, allowed: false });
    await limiter.close();
  });

  it('counts each decision once, by where it came from; shadow rules are no decisions', async () => {
    const { limiter } = node([leased, { ...leased, rule_id: 's', mode: 'shadow' }], { sizing: fixedLeases(10) });
    await checks(limiter, 5, key);
    expect(limiter.stats().decisions).toEqual({ local: 4, store: 1, fallback: 0, none: 0 });
    await limiter.close();
  });

  it('R10 holds numbers beyond 32 bits', async () => {
    const limit = 2 ** 31 + 10;
    const { limiter } = node([{ rule_id: 'r', limit, window_seconds: 31_536_000, algorithm: 'fixed_window' }], { sizing: fixedLeases(10) });
    const [, decision] = await checks(limiter, 2, key);
    expect(decision?.deciding).toMatchObject({ limit, source: 'local', remaining: limit - 2 });
    expect(decision?.deciding?.resetMs).toBeGreaterThan(2 ** 31);
    expect(decision?.deciding?.charge?.amount).toBe(1);
    await limiter.close();
  });
});
