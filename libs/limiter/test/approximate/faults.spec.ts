import { StoreFault } from '../../src/index.js';
import type { RuleInput } from '../support/fixture.js';
import { allowed, checks } from '../support/fixture.js';
import { landed, VirtualFleet } from './support/fleet.js';

const key = { key_id: 'k1' };
const HOUR: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: 1000, window_seconds: 3600, consistency: 'approximate' };
const gone = new StoreFault('unavailable', 'no connection');

describe('R29 R40 reports that fail', () => {
  it('one that did not arrive is sent again with the next', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 10, key);
    line.fault = gone;
    await fleet.pass(1300);
    expect(line.reported).toBe(0);
    await checks(limiter, 5, key);
    line.fault = undefined;
    await fleet.pass(1300);
    expect(line.reports.map(({ amount }) => amount)).toEqual([15]);
    expect(limiter.stats()).toMatchObject({ reported: 15, unreported: 0 });
    await limiter.close();
  });

  it('one that ran though its answer was lost counts twice: one batch too few may pass, never too many', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 10, key);
    line.lostReplies = 1;
    await fleet.pass(3000);
    expect(line.reports.map(({ amount }) => amount)).toEqual([10, 10]);
    expect(allowed(await checks(limiter, 1200, key))).toBe(980);
    await limiter.close();
  });

  it('one whose answer comes late counts once, sent again or not', async () => {
    for (const again of [false, true]) {
      const fleet = new VirtualFleet();
      const { limiter, line } = fleet.join([HOUR]);
      await checks(limiter, 10, key);
      line.lostReplies = 1;
      await fleet.pass(1300);
      const { late } = line;
      if (again) await fleet.pass(1500);
      expect(line.reported).toBe(again ? 20 : 10);
      late();
      await fleet.pass(3000);
      expect(line.reported).toBe(again ? 20 : 10);
      expect(allowed(await checks(limiter, 1200, key))).toBe(990);
      await limiter.close();
    }
  });

  it('to a server in trouble one goes each second at most: what it does not answer it may do all the same, and again', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, window_seconds: 2 }]);
    Object.assign(line, { stateOf: () => 'troubled' });
    line.lostReplies = Infinity;
    for (let at = 0; at < 40; at += 1) {
      await limiter.check(key);
      await fleet.pass(100);
    }
    expect(line.reports.length).toBeGreaterThanOrEqual(2);
    expect(line.reports.length).toBeLessThanOrEqual(5);
    Object.assign(line, { stateOf: () => 'open' });
    const sent = line.reports.length;
    await fleet.pass(1000);
    expect(line.reports).toHaveLength(sent);
    await limiter.close();
  });

  it('while reports are lost no more than the allowance passes without an answer', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    line.lostReplies = Infinity;
    let local = 0;
    for (let at = 0; at < 200; at += 1) {
      const answer = limiter.check(key);
      if (answer instanceof Promise) break;
      local += 1;
      await landed();
    }
    expect(local).toBe(50);
    await limiter.close();
  });

  it.each(['allow', 'deny'] as const)('with the store away the allowance is used up first, then the rule says what happens: %s', async (choice) => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, on_store_failure: choice }], { fleetSize: 2 });
    line.fault = gone;
    const decisions = await checks(limiter, 1000, key);
    const by = (source: string): number => decisions.filter((each) => each.allowed && each.deciding?.source === source).length;
    expect(by('local')).toBe(25);
    expect(by('fallback')).toBe(choice === 'allow' ? 500 : 0);
    expect(decisions.at(-1)?.reason).toBe(choice === 'allow' ? 'quota' : 'store_unavailable');
    line.fault = undefined;
    await fleet.pass(1500);
    await limiter.close();
    expect(line.reported).toBe(25);
  });

  it('R42 what was admitted so long ago that it does not count any more is not reported', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, window_seconds: 10 }]);
    await checks(limiter, 10, key);
    line.fault = gone;
    await fleet.pass(13_000);
    line.fault = undefined;
    await fleet.pass(3000);
    expect(line.reports).toHaveLength(0);
    expect(limiter.stats().unreported).toBe(10);
    await limiter.close();
  });
});

describe('R29 R44 nothing stays unreported', () => {
  it('close() reports, and waits until the store has heard', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    for (let at = 0; at < 30; at += 1) limiter.check({ key_id: `k${at % 3}` });
    line.holdReports();
    let closed = false;
    const closing = limiter.close().then(() => (closed = true));
    await landed();
    expect(closed).toBe(false);
    line.arrive();
    await closing;
    expect(line.reported).toBe(30);
    expect(limiter.stats()).toMatchObject({ reported: 30, unreported: 0 });
  });

  it('close() while the store is away ends, and counts what the store will never hear of', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 20, key);
    line.fault = gone;
    await limiter.close();
    expect(limiter.stats().unreported).toBe(20);
  });

  it('after close() nothing is admitted on credit', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await limiter.close();
    expect((await limiter.check(key)).deciding?.source).toBe('fallback');
    await fleet.pass(1500);
    expect([line.asks.length, line.reports.length, limiter.stats().reported]).toEqual([0, 0, 0]);
  });

  it('a key that falls idle is reported, and its lease forgotten', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, window_seconds: 10 }]);
    await checks(limiter, 3, key);
    await fleet.pass(2000);
    expect(line.reported).toBe(3);
    await fleet.pass(180_000, 1000);
    expect(limiter.stats().activeKeys).toBe(0);
    await limiter.close();
  });

  it('a counter that makes room for another one is reported', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR], { maxKeys: 3 });
    for (let at = 0; at < 50; at += 1) await limiter.check({ key_id: `k${at}` });
    await fleet.pass(1500);
    expect(line.reported + line.asks.length).toBe(50);
    expect(line.reported).toBeGreaterThan(0);
    await limiter.close();
  });
});
