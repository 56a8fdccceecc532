import { jest } from '@jest/globals';
import { createLimiter, fixedLeases } from '../src/index.js';
import { node, rulesOf, type RuleInput } from './support/fixture.js';
import { key, NOTHING, remaining, reserved, second, tokens } from './support/reservations.js';

describe('R14 a reservation', () => {
  it('charges the estimate, and settles at the true amount: the difference goes back', async () => {
    const { limiter } = node([tokens]);
    const { id, decision } = await reserved(limiter, 40);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(decision).toMatchObject({ allowed: true, cost: 40 });
    expect(await remaining(limiter)).toEqual([60]);
    expect(await limiter.settle(id, 15)).toEqual({ status: 'settled', charged: 15, returned: 25, indebted: 0 });
    expect(await remaining(limiter)).toEqual([85]);
    expect(limiter.stats()).toMatchObject({ reservations: 1, settlements: 1, settlementsLost: 0, unsettled: 0, forgiven: 0 });
    await limiter.close();
  });

  it('is charged more as debt, which later requests pay off', async () => {
    const { limiter, clock } = node([tokens]);
    const { id } = await reserved(limiter, 40);
    expect(await limiter.settle(id, 130)).toEqual({ status: 'settled', charged: 130, returned: 0, indebted: 90 });
    expect(await limiter.check(key)).toMatchObject({ allowed: false, reason: 'quota', deciding: { remaining: 0, retryMs: 60_000 } });
    clock.advance(60_000);
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });

  it('of what drains is charged up to twice the capacity, and the rest is counted', async () => {
    const { limiter, clock } = node([{ ...tokens, limit: 40, algorithm: 'token_bucket' }]);
    const { id } = await reserved(limiter, 16);
    expect(await limiter.settle(id, 1_000)).toEqual({ status: 'settled', charged: 80, returned: 0, indebted: 64 });
    expect(limiter.stats().forgiven).toBe(920);
    clock.advance(60_000);
    expect(await limiter.check(key)).toMatchObject({ allowed: false, deciding: { remaining: 0, retryMs: 1_500 } });
    clock.advance(1_500);
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });

  it('moves nothing when the estimate was right, and gives all back for 0', async () => {
    const { limiter } = node([tokens]);
    const [right, none] = [await reserved(limiter, 30), await reserved(limiter, 20)];
    expect(await limiter.settle(right.id, 30)).toEqual({ status: 'settled', charged: 30, returned: 0, indebted: 0 });
    expect(await limiter.settle(none.id, 0)).toEqual({ status: 'settled', charged: 0, returned: 20, indebted: 0 });
    expect(await remaining(limiter)).toEqual([70]);
    await limiter.close();
  });

  it('does not go back by a refund, but by its settlement', async () => {
    const { limiter } = node([tokens]);
    const { id, decision } = await reserved(limiter, 40);
    expect(await limiter.refund(decision)).toBe(0);
    expect(await limiter.settle(id, 0)).toMatchObject({ returned: 40 });
    expect(await limiter.refund(decision)).toBe(0);
    expect(await remaining(limiter)).toEqual([100]);
    await limiter.close();
  });

  it('that is denied is charged nothing and has no id', async () => {
    const { limiter } = node([tokens]);
    await reserved(limiter, 80);
    expect(await limiter.reserve(key, 40)).toMatchObject({ decision: { allowed: false, reason: 'quota' }, id: undefined, expiresAtMs: undefined });
    expect(await limiter.reserve(key, 101)).toMatchObject({ decision: { reason: 'cost_exceeds_limit' }, id: undefined });
    expect(await remaining(limiter)).toEqual([20]);
    await limiter.close();
  });

  it('that no rule speaks of is settled as well', async () => {
    const { limiter } = node([{ ...tokens, plan: 'pro' }]);
    const { id } = await reserved(limiter, 5);
    expect(await limiter.settle(id, 500)).toEqual({ status: 'settled', ...NOTHING });
    expect(await limiter.settle(id, 500)).toEqual({ status: 'unknown', ...NOTHING });
    await limiter.close();
  });

  it('R8 R58 settles each limit that it was charged to, those in shadow mode too', async () => {
    const { limiter } = node([
      { ...tokens, policy: 'a' },
      { ...tokens, rule_id: 'day', policy: 'b', window_seconds: 86_400, limit: 1_000 },
      { ...tokens, rule_id: 'staged', policy: 'c', limit: 50, mode: 'shadow' },
    ]);
    const { id, decision } = await reserved(limiter, 40);
    expect(await limiter.settle(id, 10)).toEqual({ status: 'settled', charged: 30, returned: 90, indebted: 0 });
    const { policies, shadow } = await limiter.peek(key);
    expect([...policies, ...shadow].map((policy) => policy.remaining).sort((a, b) => a - b)).toEqual([40, 90, 990]);
    expect(decision.shadow).toHaveLength(1);
    await limiter.close();
  });

  it('R58 settles the others when one of its charges makes no sense to who settles it, and counts what that one is off by', async () => {
    const overrides = [{ override_id: 'o', rule_id: 'staged', key_id: 'k1', limit: 1, burst: 100_000, expires_at: '2036-01-01T00:00:00Z' }];
    const staged: RuleInput = { ...tokens, rule_id: 'staged', algorithm: 'gcra', window_seconds: 31_622_400, mode: 'shadow' };
    const { limiter } = node(rulesOf([tokens, staged], { overrides }));
    const { id } = await reserved(limiter, 40);
    expect(await limiter.settle(id, 10)).toEqual({ status: 'settled', charged: 10, returned: 30, indebted: 0 });
    expect((await limiter.peek(key)).policies.map((policy) => policy.remaining)).toEqual([90]);
    expect(limiter.stats()).toMatchObject({ settlements: 1, settlementsLost: 1, unsettled: 30 });
    const right = await reserved(limiter, 5);
    expect(await limiter.settle(right.id, 5)).toMatchObject({ status: 'settled', charged: 5 });
    expect(limiter.stats()).toMatchObject({ settlements: 2, settlementsLost: 1, unsettled: 30 });
    await limiter.close();
  });

  it('from a lease goes back to the bucket of the lease', async () => {
    const { limiter, memory, clock } = node([{ rule_id: 'r', limit: 10_000, window_seconds: 60 }], { sizing: fixedLeases(500) });
    await limiter.check(key);
    const { id, decision } = await reserved(limiter, 200);
    expect(decision.deciding?.source).toBe('local');
    expect(await limiter.settle(id, 50)).toMatchObject({ status: 'settled', returned: 150 });
    await limiter.close();
    const other = createLimiter({ store: memory, rules: rulesOf([{ rule_id: 'r', limit: 10_000, window_seconds: 60 }]), clock });
    expect(await remaining(other)).toEqual([10_000 - 51]);
    await other.close();
  });

  it('R9 gives nothing back to a window that is over', async () => {
    const { limiter, clock } = node([tokens]);
    const { id } = await reserved(limiter, 40, 120_000);
    clock.advance(60_000);
    expect(await limiter.settle(id, 10)).toEqual({ status: 'settled', charged: 40, returned: 0, indebted: 0 });
    expect(await remaining(limiter)).toEqual([100]);
    await limiter.close();
  });

  it('throws for a caller’s mistake only; an id that is none asks nobody', async () => {
    const { limiter, store } = node([tokens]);
    for (const bad of [0, -1, 1.5, Number.NaN, 2 ** 53]) await expect(limiter.reserve(key, bad)).rejects.toThrow(RangeError);
    for (const ttlMs of [0, 1.5, 86_400_001]) await expect(limiter.reserve(key, 1, { ttlMs })).rejects.toThrow(RangeError);
    for (const bad of [-1, 1.5, Number.NaN, 2 ** 53]) await expect(limiter.settle('x', bad)).rejects.toThrow(RangeError);
    const claim = jest.spyOn(store, 'claim');
    for (const id of ['', 'x', '../../../etc/passwd....', 'a'.repeat(21), `${'a'.repeat(21)}}`, 'a'.repeat(23)]) {
      expect(await limiter.settle(id, 1)).toEqual({ status: 'unknown', ...NOTHING });
    }
    expect(claim).not.toHaveBeenCalled();
    expect(store.asks).toEqual([]);
    await limiter.close();
  });
});

describe('R14 a reservation is settled once', () => {
  it('by whoever claims it first of all nodes, at once or one after the other', async () => {
    const first = node([tokens]);
    const other = second(first);
    const nodes = [first.limiter, other];
    for (let round = 0; round < 20; round += 1) {
      const { id } = await reserved(first.limiter, 5);
      const settled = await Promise.all([0, 1, 0, 1].map((at) => nodes[at]?.settle(id, 1)));
      expect(settled.map((each) => each?.status).sort()).toEqual(['settled', 'unknown', 'unknown', 'unknown']);
      expect(await other.settle(id, 1)).toEqual({ status: 'unknown', ...NOTHING });
    }
    expect(await remaining(other)).toEqual([80]);
    await Promise.all(nodes.map((limiter) => limiter.close()));
  });

  it('until it expires; then the estimate stands', async () => {
    const { limiter, clock } = node([tokens]);
    const startMs = clock.nowMs();
    const short = await reserved(limiter, 10, 500);
    expect(short.expiresAtMs).toBe(startMs + 500);
    const long = await reserved(limiter, 20);
    expect(long.expiresAtMs).toBe(startMs + 60_000);
    clock.advance(499);
    const third = await reserved(limiter, 5, 500);
    clock.advance(1);
    expect(await limiter.settle(short.id, 0)).toEqual({ status: 'unknown', ...NOTHING });
    expect(await limiter.settle(long.id, 0)).toMatchObject({ status: 'settled', returned: 20 });
    expect(await limiter.settle(third.id, 0)).toMatchObject({ status: 'settled', returned: 5 });
    expect(await remaining(limiter)).toEqual([90]);
    await limiter.close();
  });

  it.each([[0.1, 1_000], [60, 60_000], [86_400, 3_600_000]])('a window of %s s keeps it for %s ms', async (window_seconds, lifeMs) => {
    const { limiter, clock } = node([{ ...tokens, window_seconds }]);
    expect((await reserved(limiter, 1)).expiresAtMs).toBe(clock.nowMs() + lifeMs);
    await limiter.close();
  });
});

describe('R61 a reservation outlives the rule that it was charged under', () => {
  it('goes back to the counter whatever the limit is now', async () => {
    const { limiter } = node([tokens]);
    const { id } = await reserved(limiter, 40);
    limiter.use(rulesOf([{ ...tokens, limit: 30, version: 2 }], { version: 2 }));
    expect(await remaining(limiter)).toEqual([0]);
    expect(await limiter.settle(id, 10)).toMatchObject({ status: 'settled', returned: 30 });
    expect(await remaining(limiter)).toEqual([20]);
    await limiter.close();
  });
});
