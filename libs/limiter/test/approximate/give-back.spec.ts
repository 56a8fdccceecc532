import type { RuleInput } from '../support/fixture.js';
import { allowed, checks } from '../support/fixture.js';
import { landed, VirtualFleet } from './support/fleet.js';

const key = { key_id: 'k1' };
const HOUR: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: 1000, window_seconds: 3600, consistency: 'approximate' };

describe('R9 R29 refunds of what was admitted on credit', () => {
  it('what the store has not heard of is not reported', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    const decisions = await checks(limiter, 10, key);
    expect(await limiter.refund(decisions[3]!)).toBe(1);
    expect(await limiter.refund(decisions[3]!)).toBe(0);
    expect((await limiter.check(key)).deciding?.remaining).toBe(990);
    await limiter.close();
    expect(line.reported).toBe(10);
    expect(line.returns).toHaveLength(0);
  });

  it.each(['fixed_window', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'] as const)('%s: what it has heard of goes back, once', async (algorithm) => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, algorithm }]);
    const decisions = [...(await checks(limiter, 20, key)), await limiter.check(key, 5)];
    await limiter.check({ key_id: 'k2' });
    await fleet.pass(1500);
    expect(line.reported).toBe(26);
    const before = (await limiter.peek(key)).deciding?.remaining ?? 0;
    const given = await limiter.refund(decisions.at(-1)!);
    expect((await limiter.peek(key)).deciding?.remaining).toBe(before + given);
    // Of a bucket whose level nobody knew at the time less may come back, never more.
    expect(given).toBeLessThanOrEqual(5);
    if (algorithm === 'fixed_window' || algorithm === 'sliding_counter') expect(given).toBe(5);
    expect(await limiter.refund(decisions.at(-1)!)).toBe(0);
    await limiter.close();
  });

  it('never into another window', async () => {
    const fleet = new VirtualFleet();
    const { limiter } = fleet.join([{ ...HOUR, window_seconds: 10 }]);
    const decisions = await checks(limiter, 10, key);
    await fleet.pass(10_000);
    await checks(limiter, 10, key);
    expect(await limiter.refund(decisions[0]!)).toBe(0);
    await limiter.close();
    expect((await limiter.peek(key)).deciding?.remaining).toBe(990);
  });

  it('R8 a request that another limit refuses owes nothing', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR, { rule_id: 's', policy: 'second', limit: 3, window_seconds: 3600, consistency: 'exact' }]);
    const decisions = await checks(limiter, 10, key);
    expect(allowed(decisions)).toBe(3);
    await limiter.close();
    expect(line.reported).toBe(3);
  });

  it('R14 a settlement lowers what is owed, or gives back; a debt is charged', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, limit: 2000 }]);
    const [less, later, more] = [await limiter.reserve(key, 10), await limiter.reserve(key, 10), await limiter.reserve(key, 10)];
    expect(await limiter.settle(less.id ?? '', 4)).toMatchObject({ status: 'settled', returned: 6 });
    await fleet.pass(1500);
    expect(line.reported).toBe(24);
    expect(await limiter.settle(later.id ?? '', 9)).toMatchObject({ status: 'settled', returned: 1 });
    expect(await limiter.settle(more.id ?? '', 14)).toMatchObject({ status: 'settled', indebted: 4 });
    await limiter.close();
    expect((await limiter.peek(key)).deciding?.remaining).toBe(2000 - 4 - 9 - 14);
  });

  it('a reset forgets what is owed', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 10, key);
    await limiter.reset(key);
    await landed();
    await fleet.pass(1500);
    expect(line.reported).toBe(0);
    expect((await limiter.check(key)).deciding?.remaining).toBe(999);
    await limiter.close();
  });
});
