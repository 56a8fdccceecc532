import { StoreFault, type Ask, type AskEnd } from '../../src/index.js';
import type { RuleInput } from '../support/fixture.js';
import { allowed, checks } from '../support/fixture.js';
import { landed, VirtualFleet } from './support/fleet.js';
import { ReportingLine } from './support/reporting-line.js';

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

  it('R8 R9 what a refused request took of a window that is over does not lower what is owed to the next', async () => {
    const fleet = new VirtualFleet();
    const line = new ReportingLine(fleet.store, () => fleet.clock.nowMs());
    let gate = Promise.resolve();
    const ask = (one: Ask, end: AskEnd): void => {
      const slow = one.key.includes('slow') ? gate : undefined;
      void Promise.resolve(slow)
        .then(() => line.take([one]))
        .then(([answer]) => end.answered(answer ?? new StoreFault('rejected', 'no answer')));
    };
    const minute: RuleInput = { ...HOUR, limit: 10_000, window_seconds: 60 };
    const second: RuleInput = { rule_id: 's', policy: 'second', limit: 100, window_seconds: 86_400, count_by: ['user_id'], consistency: 'exact' };
    const { limiter } = fleet.join([minute, second], { store: Object.assign(line, { ask }) });
    const by = (user_id: string, cost = 1) => Promise.resolve(limiter.check({ ...key, user_id }, cost));
    await by('slow', 100);
    await fleet.pass(59_990);
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const slow = Array.from({ length: 5 }, () => by('slow', 50));
    // It needs what was held back, so that all of it is reported in this window.
    await by('last');
    await landed();
    expect(line.reported).toBe(351);
    await fleet.pass(15, 5);
    for (let at = 0; at < 100; at += 1) expect((await by(`new${at}`)).allowed).toBe(true);
    open();
    expect(allowed(await Promise.all(slow))).toBe(0);
    await limiter.close();
    expect((await limiter.limits({ ...key, user_id: 'other' })).find(({ policy }) => policy !== 'second')?.remaining).toBe(9900);
  });

  it.each(['fixed_window', 'token_bucket'] as const)('R8 %s: a request that another limit refuses owes nothing, however long its counter has been busy', async (algorithm) => {
    const second: RuleInput = { rule_id: 's', policy: 'second', limit: 10, window_seconds: 86_400, consistency: 'exact' };
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, algorithm, window_seconds: 10 }, second]);
    await checks(limiter, 10, key);
    for (let round = 0; round < 300; round += 1) {
      await fleet.pass(50);
      expect(allowed(await checks(limiter, 2, key))).toBe(0);
    }
    await limiter.close();
    expect(line.reported).toBe(10);
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
