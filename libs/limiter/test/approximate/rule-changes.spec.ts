import type { RuleInput } from '../support/fixture.js';
import { allowed, checks, rulesOf } from '../support/fixture.js';
import { VirtualFleet } from './support/fleet.js';

const key = { key_id: 'k1' };
const HOUR: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: 1000, window_seconds: 3600, consistency: 'approximate' };

describe('R29 R61 approximate: a rule that changes', () => {
  it('the allowance follows at once', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 20, key);
    limiter.use(rulesOf([{ ...HOUR, limit: 24, version: 2 }], { version: 2 }));
    expect(allowed(await checks(limiter, 20, key))).toBe(4);
    limiter.use(rulesOf([{ ...HOUR, limit: 10_000, version: 3 }], { version: 3 }));
    expect(allowed(await checks(limiter, 501, key))).toBe(501);
    await limiter.close();
    expect((await limiter.peek(key)).deciding?.remaining).toBe(10_000 - 525);
    expect(line.asks.length).toBeLessThan(30);
  });

  it('a limit that is lower than what was spent refuses the next request', async () => {
    const fleet = new VirtualFleet();
    const { limiter } = fleet.join([HOUR]);
    await checks(limiter, 20, key);
    limiter.use(rulesOf([{ ...HOUR, limit: 20, version: 2 }], { version: 2 }));
    expect(await limiter.check(key)).toMatchObject({ allowed: false, deciding: { remaining: 0 } });
    await limiter.close();
  });

  it.each(['leased', 'exact'] as const)('one that becomes %s reports, and asks from then on', async (consistency) => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 20, key);
    limiter.use(rulesOf([{ ...HOUR, consistency, version: 2 }], { version: 2 }));
    expect(allowed(await checks(limiter, 1000, key))).toBeLessThanOrEqual(980 + 5);
    await limiter.close();
    expect(line.reported).toBeLessThanOrEqual(25);
    expect((await limiter.peek(key)).deciding?.remaining).toBe(0);
  });

  it.each(['leased', 'exact'] as const)('one that becomes %s while its counter is busy admits nothing more on credit', async (consistency) => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, limit: 10_000 }]);
    for (let at = 0; at < 20; at += 1) {
      await limiter.check(key);
      await fleet.pass(50);
    }
    limiter.use(rulesOf([{ ...HOUR, limit: 10_000, consistency, version: 2 }], { version: 2 }));
    for (let at = 0; at < 200; at += 1) {
      expect((await limiter.check(key)).allowed).toBe(true);
      await fleet.pass(50);
    }
    expect(line.reported).toBe(20);
    expect(line.asks.length).toBeGreaterThan(0);
    await limiter.close();
    expect((await limiter.peek(key)).deciding?.remaining).toBe(10_000 - 220);
  });

  it('one that becomes approximate charges the bucket that the store names, not one of before', async () => {
    const second: RuleInput = { rule_id: 's', policy: 'second', limit: 500, window_seconds: 3600, consistency: 'exact' };
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, consistency: 'exact' }, second]);
    await checks(limiter, 3, key);
    limiter.use(rulesOf([HOUR, second], { version: 2 }));
    const decisions = await checks(limiter, 40, key);
    await fleet.pass(1500);
    for (const decision of decisions) expect(await limiter.refund(decision)).toBe(2);
    await fleet.pass(1500);
    expect((await limiter.limits(key)).map(({ remaining }) => remaining).sort()).toEqual([497, 997]);
    expect(line.reported).toBeLessThanOrEqual(40);
    await limiter.close();
  });

  it('so it does when several limits were asked together before, and answered afterwards', async () => {
    const second: RuleInput = { rule_id: 's', policy: 'second', limit: 500, window_seconds: 3600, consistency: 'exact' };
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, consistency: 'exact' }, second]);
    const open = line.hold();
    const pending = limiter.check(key);
    limiter.use(rulesOf([HOUR, second], { version: 2 }));
    // It costs too much for the second limit, so that nothing is asked, but the rule's new terms are known from now on.
    expect(await limiter.check(key, 501)).toMatchObject({ allowed: false });
    open();
    expect((await pending).allowed).toBe(true);
    const decisions = await checks(limiter, 10, key);
    await fleet.pass(1500);
    expect(line.reported).toBe(10);
    for (const decision of decisions) expect(await limiter.refund(decision)).toBe(2);
    await limiter.close();
    expect((await limiter.limits(key)).map(({ remaining }) => remaining).sort()).toEqual([499, 999]);
  });
});
