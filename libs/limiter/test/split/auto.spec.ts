import { jest } from '@jest/globals';
import { counterKey, shardKey } from '@sluice/lua-scripts';
import { StoreFault, type HotKeys } from '../../src/index.js';
import { rulesOf, type RuleInput } from '../support/fixture.js';
import { hotFleet, mostAdmitted } from './support/hot-fleet.js';

// Fleets in steps of 50 ms, on a machine that is shared.
jest.setTimeout(30_000);

const rule: RuleInput = { rule_id: 'r', limit: 4000, window_seconds: 10, algorithm: 'fixed_window', consistency: 'exact' };
/** Requests that come together share a trip, so a node of these makes 20 a second. */
const hotKeys = { tripsPerSecond: 15, shards: 4 };
const whole = counterKey('r~fw10000', ['hot']);
const shards = Array.from({ length: 4 }, (_, at) => shardKey(whole, at, 4));

describe('R28 a hot counter', () => {
  it('is split by itself on all nodes in one instant, stays so while it is hot, and is whole again afterwards', async () => {
    const { pass, stats, asked, close } = hotFleet(rule, 3, hotKeys);
    await pass(1_000, 15);
    expect(new Set(asked())).toEqual(new Set([whole]));
    await pass(3_500, 15);
    asked();
    await pass(2_000, 15);
    expect(stats().map(({ splits }) => splits)).toEqual([1, 1, 1]);
    asked();
    await pass(20_000, 15);
    const keys = new Set(asked());
    expect(keys.has(whole)).toBe(false);
    for (const key of keys) expect(shards).toContain(key);
    expect(stats().map(({ splits }) => splits)).toEqual([1, 1, 1]);
    await pass(20_000, 0);
    expect(stats().map(({ splits }) => splits)).toEqual([0, 0, 0]);
    asked();
    await pass(500, 15);
    expect(new Set(asked())).toEqual(new Set([whole]));
    await close();
  });

  it.each([
    ['too few trips a second', 15, { ...hotKeys, tripsPerSecond: 30 }],
    ['switched off', 15, false],
  ] as const)('is not split: %s', async (_, perStep, choice) => {
    const { pass, stats, asked, close } = hotFleet(rule, 3, choice);
    await pass(8_000, perStep);
    expect(stats().map(({ splits }) => splits)).toEqual([0, 0, 0]);
    expect(new Set(asked())).toEqual(new Set([whole]));
    await close();
  });

  it('is not split when it is small, or costs are great', async () => {
    const small = hotFleet({ ...rule, limit: 39 }, 2, hotKeys);
    await small.pass(6_000, 20);
    expect(small.stats()[0]?.splits).toBe(0);
    await small.close();
  });
});

describe.each([
  ['fixed_window', 'exact', 1],
  ['sliding_counter', 'exact', 1],
  ['sliding_counter', 'exact', 5],
  ['gcra', 'exact', 1],
  ['leaky_bucket', 'exact', 1],
  ['token_bucket', 'leased', 1],
  ['sliding_counter', 'leased', 1],
] as const)('R28 over a split and its end, %s, %s, %i sub-buckets', (algorithm, consistency, sub_buckets) => {
  it('admits what it would admit whole, at 300 % load', async () => {
    const hot: RuleInput = { rule_id: 'r', limit: 4000, window_seconds: 10, algorithm, consistency, ...(sub_buckets > 1 && { sub_buckets }) };
    const run = async (choice: HotKeys | false) => {
      const fleet = hotFleet(hot, 4, choice);
      // The counter is full when it is split, after 4.5 s.
      await fleet.pass(12_000, 60);
      const [{ splits = 0 } = {}] = fleet.stats();
      // Silence until it is too late to prolong it; when it ends, some 14 s after the last load, it is full again.
      await fleet.pass(11_000);
      await fleet.pass(5_500, 100);
      const after = fleet.stats()[0]?.splits;
      await fleet.close();
      const total = fleet.steps.reduce((sum, step) => sum + step.allowed, 0);
      return { splits, after, total, most: mostAdmitted(fleet.steps, 10_000) };
    };
    const whole = await run(false);
    const split = await run({ tripsPerSecond: consistency === 'exact' ? 15 : 2, shards: 4 });
    expect(split).toMatchObject({ splits: 1, after: 0 });
    expect(whole).toMatchObject({ splits: 0, after: 0 });
    expect(split.most).toBeLessThanOrEqual(whole.most + 120);
    expect(split.total).toBeLessThanOrEqual(whole.total + 120);
    expect(split.total).toBeGreaterThanOrEqual(whole.total * 0.97);
  });
});

describe('R28 when the node dies that moves what is in use', () => {
  it('one limit more is admitted in that window, and no more', async () => {
    const { pass, steps, lines, stats, close } = hotFleet(rule, 4, hotKeys);
    // Nobody else gets the step that it has claimed.
    for (const line of lines) line.claimMove = () => Promise.resolve(false);
    await pass(9_900, 100);
    expect(stats()[0]?.splits).toBe(1);
    expect(steps.reduce((sum, step) => sum + step.allowed, 0)).toBeLessThanOrEqual(8_000);
    await pass(20_000, 100);
    expect(steps.slice(-400).reduce((sum, step) => sum + step.allowed, 0)).toBeLessThanOrEqual(8_000);
    await close();
  });
});

describe('R28 R41 while the store is away', () => {
  it('nodes keep to what they heard last, and go on by themselves with their part of the whole limit', async () => {
    const { pass, lines, stats, limiters, clock, close } = hotFleet(rule, 2, hotKeys);
    await pass(6_000, 20);
    for (const line of lines) line.fault = new StoreFault('unavailable', 'no connection');
    await pass(20_000);
    expect(stats().map(({ splits }) => splits)).toEqual([1, 1]);
    const decisions = await Promise.all(Array.from({ length: 3_000 }, () => limiters[0]!.check({ key_id: 'hot' })));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(2_000);
    expect(decisions.every(({ deciding }) => deciding?.source === 'fallback')).toBe(true);
    for (const line of lines) line.fault = undefined;
    clock.advance(1_000);
    await pass(2_000);
    expect(stats().map(({ splits }) => splits)).toEqual([0, 0]);
    await close();
  });
});

describe('R28 a split counter', () => {
  it('is read, reset and refunded as one', async () => {
    const { pass, limiters, close } = hotFleet(rule, 2, hotKeys);
    await pass(6_000, 20);
    const [limiter] = limiters;
    const before = (await limiter!.limits({ key_id: 'hot' }))[0]?.remaining ?? 0;
    const decision = await limiter!.check({ key_id: 'hot' });
    expect(decision.deciding?.charge?.key).not.toBe(whole);
    expect((await limiter!.limits({ key_id: 'hot' }))[0]?.remaining).toBe(before - 1);
    expect(await limiter!.refund(decision)).toBe(1);
    expect((await limiter!.limits({ key_id: 'hot' }))[0]?.remaining).toBe(before);
    await limiter!.reset({ key_id: 'hot' });
    expect((await limiter!.limits({ key_id: 'hot' }))[0]?.remaining).toBe(4000);
    await close();
  });

  it('R61 follows a change of the limit', async () => {
    const { pass, limiters, steps, close } = hotFleet(rule, 2, hotKeys);
    await pass(6_000, 20);
    for (const limiter of limiters) limiter.use(rulesOf([{ ...rule, limit: 2000, version: 2 }], { version: 2 }));
    await pass(1_000, 20);
    // 2,400 were admitted of the first 10 s.
    expect(steps.slice(-20).reduce((sum, step) => sum + step.allowed, 0)).toBe(0);
    await close();
  });

  it('is whole again soon when a cost comes that fits into no shard, which is refused until then and no longer', async () => {
    const { pass, limiters, stats, clock, close } = hotFleet({ ...rule, consistency: 'leased', limit: 40_000 }, 2, { tripsPerSecond: 1, shards: 4 });
    await pass(6_000, 20);
    expect(stats()[0]?.splits).toBe(1);
    const { allowed, reason, retryAfterMs = 0 } = await limiters[0]!.check({ key_id: 'hot' }, 20_000);
    expect({ allowed, reason }).toEqual({ allowed: false, reason: 'quota' });
    expect(retryAfterMs).toBeGreaterThan(0);
    expect((await limiters[0]!.check({ key_id: 'hot' })).allowed).toBe(true);
    const startMs = clock.nowMs();
    while (stats()[0]?.splits === 1 && clock.nowMs() < startMs + 20_000) await pass(50, 20);
    expect(clock.nowMs() - startMs).toBeLessThanOrEqual(5_000);
    await pass(2_000, 20);
    await pass(Math.max(0, startMs + retryAfterMs - clock.nowMs()), 20);
    expect((await limiters[0]!.check({ key_id: 'hot' }, 20_000)).allowed).toBe(true);
    await close();
  });
});
