import { StoreFault } from '../../src/index.js';
import type { RuleInput } from '../support/fixture.js';
import { allowed, checks } from '../support/fixture.js';
import { landed, VirtualFleet } from './support/fleet.js';

const key = { key_id: 'k1' };
const HOUR: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: 1000, window_seconds: 3600, consistency: 'approximate' };

describe('R29 approximate: far from the limit', () => {
  it('a request is admitted without a trip, and reported afterwards, in one report', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    for (let at = 0; at < 20; at += 1) {
      const decision = limiter.check(key);
      expect(decision).not.toBeInstanceOf(Promise);
      expect(decision).toMatchObject({ allowed: true, deciding: { source: 'local', remaining: 999 - at } });
    }
    expect([line.asks.length, line.reports.length]).toEqual([0, 0]);
    await fleet.pass(1500);
    expect(line.reports.map(({ amount }) => amount)).toEqual([20]);
    expect(line.asks).toHaveLength(0);
    expect(limiter.stats()).toMatchObject({ asks: 0, reports: 1, reported: 20, unreported: 0 });
    await limiter.close();
  });

  it('half of the allowance makes a report go out at once, and nobody waits for it', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    for (let at = 0; at < 26; at += 1) expect(limiter.check(key)).not.toBeInstanceOf(Promise);
    await landed();
    expect(line.reports.map(({ amount }) => amount)).toEqual([26]);
    for (let at = 0; at < 24; at += 1) expect(limiter.check(key)).not.toBeInstanceOf(Promise);
    await limiter.close();
    expect(line.reported).toBe(50);
  });

  it('reports of one tick go out together, one each for a counter', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    for (let at = 0; at < 40; at += 1) limiter.check({ key_id: `k${at % 10}` });
    await limiter.close();
    expect(line.reports.map(({ amount }) => amount)).toEqual(Array.from({ length: 10 }, () => 4));
  });

  it('what is used up asks, once for all who wait, and the store hears first of what was spent', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    line.holdReports();
    for (let at = 0; at < 50; at += 1) limiter.check(key);
    line.arrive();
    const waiting = Array.from({ length: 5 }, () => limiter.check(key));
    expect(waiting.every((each) => each instanceof Promise)).toBe(true);
    const decisions = await Promise.all(waiting);
    expect(allowed(decisions)).toBe(5);
    expect(line.asks).toHaveLength(1);
    await limiter.close();
    expect((await limiter.peek(key)).deciding?.remaining).toBe(945);
  });

  it('a cost above the allowance asks, and what was spent before counts', async () => {
    const fleet = new VirtualFleet();
    const { limiter } = fleet.join([HOUR]);
    await checks(limiter, 20, key);
    expect(await limiter.check(key, 981)).toMatchObject({ allowed: false, reason: 'quota' });
    expect(await limiter.check(key, 980)).toMatchObject({ allowed: true, deciding: { source: 'store', remaining: 0 } });
    await limiter.close();
  });

  it('while a trip is in the air, others wait for it', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    const large = limiter.check(key, 100);
    await Promise.resolve();
    const small = limiter.check(key);
    expect(small).toBeInstanceOf(Promise);
    expect((await large).deciding?.source).toBe('store');
    expect((await small).allowed).toBe(true);
    expect(limiter.check(key)).not.toBeInstanceOf(Promise);
    expect(line.asks).toHaveLength(1);
    await limiter.close();
  });

  it('max_lease is a ceiling of the allowance too', async () => {
    const fleet = new VirtualFleet();
    const { limiter } = fleet.join([{ ...HOUR, max_lease: 4 }]);
    const answers = Array.from({ length: 6 }, () => limiter.check(key));
    expect(answers.filter((answer) => !(answer instanceof Promise))).toHaveLength(4);
    await Promise.all(answers);
    await limiter.close();
  });

  it('a peek, and limits, say what is left without what the store does not know', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([HOUR]);
    await checks(limiter, 20, key);
    expect((await limiter.peek(key)).deciding?.remaining).toBe(980);
    expect((await limiter.limits(key))[0]?.remaining).toBe(980);
    line.fault = new StoreFault('unavailable', 'no connection');
    await fleet.pass(3000);
    line.fault = undefined;
    expect((await limiter.peek(key)).deciding?.remaining).toBe(980);
    await fleet.pass(1500);
    expect((await limiter.peek(key)).deciding?.remaining).toBe(980);
    await limiter.close();
  });
});

describe('R29 approximate: near the limit', () => {
  it.each(['fixed_window', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'] as const)('%s: one node admits exactly the limit', async (algorithm) => {
    for (const cost of [1, 4]) {
      const fleet = new VirtualFleet();
      const { limiter } = fleet.join([{ ...HOUR, algorithm }]);
      const { limiter: leased } = new VirtualFleet().join([{ ...HOUR, algorithm, consistency: 'leased' }]);
      const admitted = allowed(await checks(limiter, 1200, key, cost));
      expect([cost, admitted]).toEqual([cost, allowed(await checks(leased, 1200, key, cost))]);
      expect(admitted).toBe(1000 / cost);
      await limiter.close();
    }
  });

  it('the counter is asked as a leased one, and left alone again in the next window', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, window_seconds: 30 }]);
    await checks(limiter, 980, key);
    const asked = line.asks.length;
    expect(asked).toBeGreaterThan(0);
    await fleet.pass(30_000);
    expect((await limiter.check(key)).deciding?.source).toBe('store');
    expect(line.asks).toHaveLength(asked + 1);
    const reports = line.reports.length;
    expect(allowed(await checks(limiter, 200, key))).toBe(200);
    expect(line.reports.length).toBeGreaterThan(reports);
    expect(line.asks).toHaveLength(asked + 1);
    await limiter.close();
  });

  it('a fleet with less than one permit a node is asked every time', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, limit: 100 }], { fleetSize: 6 });
    expect((await limiter.check(key)).deciding?.source).toBe('store');
    expect(line.asks).toHaveLength(1);
    await limiter.close();
    expect(line.reports).toHaveLength(0);
  });

  it.each([
    ['sliding_log', { algorithm: 'sliding_log' }],
    ['a shaper', { algorithm: 'leaky_bucket', shape: true }],
    ['a rule that charges denials', { charge_denied: true }],
  ] as const)('%s asks every time, as ever', async (_name, choice) => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([{ ...HOUR, ...choice }]);
    await checks(limiter, 5, key);
    expect(line.asks).toHaveLength(5);
    await limiter.close();
  });

  it('a node remembers a counter near its limit for longer than others: it would leave it alone anew', async () => {
    const fleet = new VirtualFleet();
    const [one, other] = [fleet.join([HOUR], { fleetSize: 2 }), fleet.join([HOUR], { fleetSize: 2 })];
    await checks(other.limiter, 1000, key);
    for (let minute = 0; minute < 10; minute += 1) {
      await checks(one.limiter, 100, key);
      await fleet.pass(150_000, 1000);
    }
    await one.limiter.close();
    await other.limiter.close();
    expect(one.line.reported + other.line.reported).toBeLessThanOrEqual(1025);
    expect(one.line.reported).toBeLessThanOrEqual(25);
  });
});
