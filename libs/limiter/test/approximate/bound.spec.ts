import fc from 'fast-check';
import type { Heartbeat } from '../../src/index.js';
import type { RuleInput } from '../support/fixture.js';
import { allowed, checks } from '../support/fixture.js';
import { landed, VirtualFleet, type FleetNode } from './support/fleet.js';
import { ReportingLine } from './support/reporting-line.js';

const key = { key_id: 'k1' };
const LIMIT = 10_000;
/** One window for the whole test, so that what was admitted is what counts. */
const DAY: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: LIMIT, window_seconds: 86_400, consistency: 'approximate' };
const BOUND = 1.05 * LIMIT;

function fleetOf(size: number, rule: RuleInput = DAY): { fleet: VirtualFleet; nodes: readonly FleetNode[] } {
  const fleet = new VirtualFleet();
  return { fleet, nodes: Array.from({ length: size }, () => fleet.join([rule], { fleetSize: size })) };
}

describe.each([2, 10, 50])('R29 the error of a fleet of %i', (size) => {
  it('is 5 % of the limit, when one fast node uses the limit while the reports of all others are on their way', async () => {
    const { nodes, fleet } = fleetOf(size);
    const [fast, ...stale] = nodes;
    for (const { line } of stale) line.holdReports();
    const allowance = Math.floor((0.05 * LIMIT) / size);
    let admitted = 0;
    for (const { limiter } of stale) admitted += allowed(await checks(limiter, allowance, key));
    expect(admitted).toBe(allowance * (size - 1));
    admitted += allowed(await checks(fast!.limiter, LIMIT + 1000, key));
    // The bound is met, and nearly all of it is used: the test would see one that is wider.
    expect(admitted).toBeGreaterThan(LIMIT + 0.04 * LIMIT * (1 - 1 / size));
    expect(admitted).toBeLessThanOrEqual(BOUND);
    for (const { line } of stale) line.arrive();
    await fleet.pass(1500);
    for (const { limiter } of nodes) admitted += allowed(await checks(limiter, 100, key));
    expect(admitted).toBeLessThanOrEqual(BOUND);
    expect((await fast!.limiter.peek(key)).deciding?.remaining).toBe(0);
  }, 30_000);

  it('is at most that, whatever is busy, late, or lost', async () => {
    const step = fc.record({
      node: fc.nat({ max: size - 1 }),
      requests: fc.integer({ min: 1, max: 600 }),
      cost: fc.integer({ min: 1, max: 4 }),
      passMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })),
      event: fc.constantFrom('hold', 'arrive', 'lose', 'none'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const { nodes, fleet } = fleetOf(size);
        let admitted = 0;
        for (const { node, requests, cost, passMs, event } of steps) {
          const { limiter, line } = nodes[node]!;
          if (event === 'hold') line.holdReports();
          else if (event === 'arrive') line.arrive();
          else if (event === 'lose') line.lostReplies = 1;
          for (let at = 0; at < requests; at += 1) {
            const answer = limiter.check(key, cost);
            // What needs the store may wait for a report that is held up, and so do its followers.
            const decision = answer instanceof Promise ? await answer : answer;
            if (decision.allowed) admitted += cost;
          }
          await (passMs === 0 ? landed() : fleet.pass(passMs, 250));
        }
        expect(admitted).toBeLessThanOrEqual(BOUND);
        for (const { line } of nodes) line.arrive();
        await Promise.all(nodes.map(({ limiter }) => limiter.close()));
        return admitted > LIMIT / 2;
      }),
      { seed: 29, numRuns: 10 },
    );
  }, 60_000);
});

describe('R29 what the bound rests on', () => {
  it('a fleet that doubles within a beat has at most twice the error', async () => {
    const fleet = new VirtualFleet();
    const old = Array.from({ length: 10 }, () => fleet.join([DAY], { fleetSize: 10 }));
    const young = Array.from({ length: 10 }, () => fleet.join([DAY], { fleetSize: 20 }));
    for (const { line } of [...old.slice(1), ...young]) line.holdReports();
    let admitted = 0;
    for (const { limiter } of old.slice(1)) admitted += allowed(await checks(limiter, 50, key));
    for (const { limiter } of young) admitted += allowed(await checks(limiter, 25, key));
    admitted += allowed(await checks(old[0]!.limiter, LIMIT + 1000, key));
    expect(admitted).toBeGreaterThan(BOUND);
    expect(admitted).toBeLessThanOrEqual(1.1 * LIMIT);
  }, 30_000);

  it('a node that has not heard twice how many there are asks', async () => {
    const fleet = new VirtualFleet();
    const line = new ReportingLine(fleet.store, () => fleet.clock.nowMs());
    const beating = Object.assign(line, { heartbeat: (beat: Heartbeat) => fleet.store.heartbeat(beat) });
    const { limiter } = fleet.join([DAY], { fleetSize: undefined, nodeId: 'n', store: beating });
    expect((await limiter.check(key)).deciding?.source).toBe('store');
    await fleet.pass(1200);
    expect((await limiter.check({ key_id: 'k2' })).deciding?.source).toBe('local');
    await limiter.close();
    expect(line.reported).toBe(1);
  });

  it('a node that had to forget counters asks for those that it does not know', async () => {
    const fleet = new VirtualFleet();
    const { limiter, line } = fleet.join([DAY], { maxKeys: 10 });
    for (let at = 0; at < 20; at += 1) await limiter.check({ key_id: `k${at}` });
    expect(line.asks.map(({ key: name }) => name)).toHaveLength(10 + 1);
    await limiter.close();
    expect(line.reported).toBe(9);
  });

  it('a counter near its limit that had to make room is asked for until it is free, however empty the table is by then', async () => {
    const fleet = new VirtualFleet();
    const { limiter } = fleet.join([DAY], { maxKeys: 20 });
    let admitted = 0;
    for (let at = 0; at < 110; at += 1) {
      admitted += allowed(await checks(limiter, 100, key));
      await fleet.pass(10, 10);
    }
    expect(admitted).toBe(LIMIT);
    for (let round = 0; round < 4; round += 1) {
      for (let at = 0; at < 300; at += 1) await limiter.check({ key_id: `flood${round}-${at}` });
      await fleet.pass(150_000, 1000);
      expect(limiter.stats().activeKeys).toBe(0);
      admitted += allowed(await checks(limiter, 500, key));
    }
    expect(admitted).toBe(LIMIT);
    await limiter.close();
  });

  it('a counter that lost its place before the store said that it is near its limit is asked for, too', async () => {
    const fleet = new VirtualFleet();
    const [one, other] = [fleet.join([DAY], { fleetSize: 2, maxKeys: 20 }), fleet.join([DAY], { fleetSize: 2 })];
    await checks(other.limiter, LIMIT, key);
    let admitted = 0;
    for (let round = 0; round < 4; round += 1) {
      one.line.holdReports();
      admitted += allowed(await checks(one.limiter, 100, key));
      for (let at = 0; at < 300; at += 1) void one.limiter.check({ key_id: `flood${round}-${at}` });
      await fleet.pass(100);
      one.line.arrive();
      await fleet.pass(150_000, 1000);
    }
    expect(admitted).toBeLessThanOrEqual(250);
    await Promise.all([one.limiter.close(), other.limiter.close()]);
  });

  it('what is admitted in a trailing window of a fleet at four times its limit is what the exact algorithm admits, and 5 %', async () => {
    const rule: RuleInput = { rule_id: 'r', algorithm: 'sliding_counter', sub_buckets: 10, limit: 1000, window_seconds: 2, consistency: 'approximate' };
    const { fleet, nodes } = fleetOf(5, rule);
    const admitted: number[] = [];
    for (let at = 0; at < 1500; at += 1) {
      const { limiter } = nodes[(at * at) % 5]!;
      for (const { allowed: passed } of await checks(limiter, 14, key)) if (passed) admitted.push(fleet.clock.nowMs());
      await fleet.pass(7, 7);
    }
    let most = 0;
    for (let first = 0, last = 0; last < admitted.length; last += 1) {
      while (admitted[first]! <= admitted[last]! - 2000) first += 1;
      most = Math.max(most, last - first + 1);
    }
    expect(most).toBeLessThanOrEqual(1000 * 1.1 * 1.05);
    expect(admitted.length).toBeGreaterThan(0.95 * ((1000 * 10_500) / 2000));
  }, 30_000);
});
