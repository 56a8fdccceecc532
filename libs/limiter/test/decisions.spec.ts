import { ALGORITHMS, NEVER } from '@sluice/algorithms';
import { allowed, checks, node, rulesOf } from './support/fixture.js';

const key = { key_id: 'k1' };

describe('R45 a decision is a value', () => {
  it('names the rule, the limit, what is left and where the answer came from', async () => {
    const { limiter, clock } = node(rulesOf([{ rule_id: 'r', version: 7, limit: 5, window_seconds: 1, consistency: 'exact' }], { version: 42 }));
    const decision = await limiter.check(key);
    expect(decision).toMatchObject({
      allowed: true,
      reason: 'ok',
      cost: 1,
      delayMs: 0,
      retryAfterMs: undefined,
      nowMs: clock.nowMs(),
      snapshotVersion: 42,
      deciding: { policy: 'default', ruleId: 'r', ruleVersion: 7, limit: 5, windowMs: 1000, remaining: 4, source: 'store', overrideId: undefined },
    });
    await limiter.close();
  });

  it('allows what no rule speaks of, and says so', async () => {
    const { limiter, store } = node([{ rule_id: 'r', plan: 'pro', limit: 5, window_seconds: 1 }]);
    expect(await limiter.check({ ...key, plan: 'free' })).toMatchObject({ allowed: true, reason: 'no_rule', deciding: undefined, policies: [] });
    expect(store.trips).toBe(0);
    await limiter.close();
  });

  it('throws for a caller’s mistake only', () => {
    const { limiter } = node([{ rule_id: 'r', limit: 5, window_seconds: 1 }]);
    for (const cost of [-1, 1.5, Number.NaN, Infinity, 2 ** 53]) expect(() => limiter.check(key, cost)).toThrow(RangeError);
    return limiter.close();
  });

  it('decides by the policy that refuses for the longest, and waits for the longest', async () => {
    const { limiter } = node([
      { rule_id: 'a', policy: 'a', limit: 1, window_seconds: 1, consistency: 'exact', algorithm: 'fixed_window' },
      { rule_id: 'b', policy: 'b', limit: 1, window_seconds: 10, consistency: 'exact', algorithm: 'fixed_window' },
    ]);
    await limiter.check(key);
    expect(await limiter.check(key)).toMatchObject({ allowed: false, deciding: { ruleId: 'b' }, retryAfterMs: 10_000 });
    await limiter.close();
  });
});

describe.each(ALGORITHMS)('R70 the wait of an exact rule, %s', (algorithm) => {
  it('is what the store says, however hard it is pressed: the pace of leases is not in it', async () => {
    const { limiter, clock } = node([{ rule_id: 'r', limit: 1000, window_seconds: 3600, consistency: 'exact', algorithm }]);
    expect(allowed(await checks(limiter, 1000, key))).toBe(1000);
    for (let asked = 0; asked < 6; asked += 1) {
      const { retryAfterMs } = await limiter.check(key);
      expect(retryAfterMs).toBe((await limiter.peek(key)).retryAfterMs);
    }
    const { retryAfterMs = 0 } = await limiter.check(key);
    clock.advance(retryAfterMs);
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });
});

describe.each(ALGORITHMS)('R9 costs, %s', (algorithm) => {
  const rule = { rule_id: 'r', limit: 10, window_seconds: 60, algorithm };

  it('known failure 2: a refused cost leaves the rest to smaller ones', async () => {
    const { limiter } = node([rule]);
    const results = [];
    for (const cost of [8, 5, 1, 1, 1]) results.push((await limiter.check(key, cost)).allowed);
    expect(results).toEqual([true, false, true, true, false]);
    await limiter.close();
  });

  it('known failures 3 and 4: a cost above the limit is refused for good, and takes nothing', async () => {
    const { limiter } = node([rule]);
    expect(await limiter.check(key, 11)).toMatchObject({
      allowed: false,
      reason: 'cost_exceeds_limit',
      retryAfterMs: undefined,
      deciding: { retryMs: NEVER },
    });
    expect((await limiter.check(key, 10)).allowed).toBe(true);
    await limiter.close();
  });

  it('known failure 13: cost 0 is a peek', async () => {
    const { limiter, store } = node([rule]);
    await checks(limiter, 4, key);
    const asked = store.asks.length;
    expect(await limiter.check(key, 0)).toMatchObject({ allowed: true, deciding: { remaining: 6 } });
    expect((await limiter.peek(key, 7)).allowed).toBe(false);
    expect(store.asks).toHaveLength(asked);
    expect(allowed(await checks(limiter, 10, key))).toBe(6);
    await limiter.close();
  });

  it('known failure 7: a refund works at zero, once, and never lifts what remains above the limit', async () => {
    const { limiter } = node([rule]);
    const decisions = await checks(limiter, 11, key);
    expect(allowed(decisions)).toBe(10);
    const last = decisions[9];
    if (last === undefined) throw new Error('no decision');
    expect(await limiter.refund(last)).toBe(1);
    expect(await limiter.refund(last)).toBe(0);
    expect(allowed(await checks(limiter, 2, key))).toBe(1);
    await limiter.close();
  });

  it('known failure 72: a refund that is too late gives nothing back', async () => {
    const { limiter, clock } = node([rule]);
    const decision = await limiter.check(key, 5);
    clock.advance(180_000);
    expect(await limiter.refund(decision)).toBe(0);
    await limiter.close();
  });

  it('forgets a counter on reset', async () => {
    const { limiter } = node([rule]);
    expect(allowed(await checks(limiter, 12, key))).toBe(10);
    await limiter.reset(key);
    expect(allowed(await checks(limiter, 12, key))).toBe(10);
    await limiter.close();
  });
});

describe('R7 denials', () => {
  it('known failure 12: are charged by a rule that says so, and only then', async () => {
    for (const [charge_denied, later] of [[false, 5], [true, 0]] as const) {
      const { limiter, clock } = node([{ rule_id: 'r', limit: 5, window_seconds: 10, algorithm: 'token_bucket', charge_denied }]);
      await checks(limiter, 20, key);
      clock.advance(10_000);
      expect(allowed(await checks(limiter, 5, key))).toBe(later);
      await limiter.close();
    }
  });
});

describe('R2 the shaper', () => {
  it('spaces a burst instead of refusing it, each request by its own delay', async () => {
    const { limiter } = node([{ rule_id: 'r', limit: 10, window_seconds: 1, burst: 5, algorithm: 'leaky_bucket', shape: true }]);
    const decisions = await Promise.all(Array.from({ length: 6 }, () => limiter.check(key)));
    expect(decisions.map(({ delayMs, allowed: ok }) => (ok ? delayMs : 'refused'))).toEqual([0, 100, 200, 300, 400, 'refused']);
    await limiter.close();
  });
});

describe('R71 limits', () => {
  it('shows every limit of the caller and changes none', async () => {
    const { limiter, store } = node([
      { rule_id: 'r', limit: 10, window_seconds: 60 },
      { rule_id: 't', policy: 'tenant', count_by: ['tenant_id'], limit: 100, window_seconds: 60 },
    ]);
    const who = { ...key, tenant_id: 't1' };
    await checks(limiter, 3, who);
    const asked = store.asks.length;
    for (let at = 0; at < 5; at += 1) {
      const limits = await limiter.limits(who);
      expect(limits.map(({ ruleId, remaining }) => [ruleId, remaining]).sort()).toEqual([['r', 7], ['t', 97]]);
    }
    expect(store.asks).toHaveLength(asked);
    await limiter.close();
  });
});

describe('R6 the store’s clock decides', () => {
  it('on a node whose clock is minutes off, which knows its offset', async () => {
    const { limiter, store, clock } = node([{ rule_id: 'r', limit: 5, window_seconds: 1, algorithm: 'fixed_window' }]);
    const skewed = node(rulesOf([{ rule_id: 'r', limit: 5, window_seconds: 1, algorithm: 'fixed_window' }]), {
      store,
      clock: { nowMs: () => clock.nowMs() - 300_000 },
    });
    const decisions = [...(await checks(limiter, 3, key)), ...(await checks(skewed.limiter, 3, key))];
    expect(allowed(decisions)).toBe(5);
    expect(decisions[5]?.nowMs).toBe(clock.nowMs());
    expect(skewed.limiter.stats().storeOffsetMs).toBe(300_000);
    await limiter.close();
    await skewed.limiter.close();
  });
});

describe('R70 a client that waits as long as it is told is allowed', () => {
  it('also when one limit was known to be dry and the other had just been emptied', async () => {
    const { limiter, clock } = node([
      { rule_id: 'short', policy: 'short', limit: 2, window_seconds: 1, algorithm: 'fixed_window' },
      { rule_id: 'long', policy: 'long', limit: 2, window_seconds: 30, algorithm: 'fixed_window' },
    ]);
    await checks(limiter, 2, key);
    for (let at = 0; at < 3; at += 1) {
      const refused = await limiter.check(key);
      expect(refused).toMatchObject({ allowed: false, retryAfterMs: 30_000 });
    }
    clock.advance(30_000);
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });

  it.each(ALGORITHMS)('a greater cost is told its own wait, not that of a smaller one (%s)', async (algorithm) => {
    const { limiter, clock } = node([{ rule_id: 'r', limit: 10, window_seconds: 30, algorithm }]);
    await checks(limiter, 11, key);
    for (const cost of [10, 5, 10, 1, 7]) {
      const { allowed: ok, retryAfterMs = 0 } = await limiter.check(key, cost);
      expect(ok).toBe(false);
      expect(Number.isInteger(retryAfterMs)).toBe(true);
      const later = await limiter.peek(key, cost);
      expect(later.retryAfterMs).toBeLessThanOrEqual(retryAfterMs);
    }
    const { retryAfterMs = 0 } = await limiter.check(key, 10);
    clock.advance(retryAfterMs);
    expect((await limiter.check(key, 10)).allowed).toBe(true);
    await limiter.close();
  });
});

describe('R8 exact limits charge only what is used', () => {
  it('known failure 2: a great cost beside a small one leaves no rest charged, not even for an instant', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 5, window_seconds: 3600, consistency: 'exact' }]);
    const decisions = await Promise.all([limiter.check(key, 8 - 4), limiter.check(key, 3), limiter.check(key, 1)]);
    expect(decisions.map(({ allowed: ok }) => ok)).toEqual([true, false, true]);
    expect(store.asks.every(({ need, want }) => need === want)).toBe(true);
    expect(store.returns).toEqual([]);
    await limiter.close();
  });
});
