import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { fixedLeases, StoreFault } from '../src/index.js';
import { IDLE_MS } from '../src/lease/idle-wheel.js';
import { LeaseCursor } from '../src/lease/lease-cursor.js';
import type { Lease } from '../src/lease/lease.js';
import { node, type RuleInput } from './support/fixture.js';

const CALLERS = 200;
const HOUR_S = 3600;
const exact: RuleInput = { rule_id: 'exact', limit: 100_000, window_seconds: HOUR_S, consistency: 'exact' };
const leased: RuleInput = { rule_id: 'leased', policy: 'other', limit: 100_000, window_seconds: HOUR_S };

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** Lease objects that were made, and what the store was asked, as long as somebody can reach them. */
let made: WeakRef<Lease>[] = [];
let trips: WeakRef<object>[] = [];

const toLease = Reflect.get(LeaseCursor.prototype, 'toLease');

// No spy: it would remember what it made.
beforeAll(() => {
  LeaseCursor.prototype.toLease = function (this: LeaseCursor): Lease {
    const lease = toLease.call(this);
    made.push(new WeakRef(lease));
    return lease;
  };
});

beforeEach(() => {
  made = [];
  trips = [];
});

afterAll(() => {
  LeaseCursor.prototype.toLease = toLease;
});

function checkAll({ limiter }: ReturnType<typeof node>, cost = 1): Promise<unknown> {
  return Promise.all(Array.from({ length: CALLERS }, async (_, at) => limiter.check({ key_id: `k${at}` }, cost)));
}

/** A second passes, and the timer of the node, which goes by real time, has come round. */
async function tick({ clock }: ReturnType<typeof node>): Promise<void> {
  clock.advance(1_000);
  await sleep(IDLE_MS / 2);
}

/** So many lease objects of this node are left in memory, and no trip. */
async function expectLeft({ store }: ReturnType<typeof node>, leases: number): Promise<void> {
  // The store's own list of what it was asked holds on to it.
  trips.push(...store.asks.map((ask) => new WeakRef(ask)));
  store.asks = [];
  const reachable = (refs: readonly WeakRef<object>[]): number => refs.filter((ref) => ref.deref() !== undefined).length;
  let left = { leases: Infinity, trips: Infinity };
  // What was looked at last may still be on a stack.
  for (let tries = 5; tries > 0 && (left.leases > leases || left.trips > 0); tries -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    left = { leases: reachable(made), trips: reachable(trips) };
  }
  expect(left).toEqual({ leases, trips: 0 });
}

describe('R30 nothing of a trip survives it', () => {
  const cases: readonly [string, readonly RuleInput[]][] = [
    ['an exact rule', [exact]],
    ['a leased rule, asked for the first time', [leased]],
    ['a limit below 50', [{ ...leased, limit: 5 }]],
    ['several limits', [exact, leased]],
    ['several exact limits in one step', [exact, { ...exact, rule_id: 'second', policy: 'other' }]],
    ['a split counter', [{ ...exact, shards: 4 }]],
    ['each request by itself', [{ ...exact, charge_denied: true }]],
  ];

  it.each(cases)('%s', async (_name, rules) => {
    const one = node(rules);
    await checkAll(one);
    expect(one.limiter.stats().activeKeys).toBeGreaterThanOrEqual(CALLERS);
    // What is seen last of a split counter is remembered with it.
    const seen = rules.some(({ shards }) => shards !== undefined) ? CALLERS : 0;
    await expectLeft(one, seen);
    expect(made.length).toBe(rules.length * CALLERS);
    await one.limiter.close();
  });

  it('nor of one that failed', async () => {
    const one = node([exact]);
    one.store.fault = new StoreFault('unavailable', 'away');
    await checkAll(one);
    await expectLeft(one, 0);
    await one.limiter.close();
  });

  it('nor of one that was refused, and refused again from memory', async () => {
    const one = node([{ ...leased, limit: 1 }, { ...exact, policy: 'exact' }]);
    for (let round = 0; round < 3; round += 1) await checkAll(one);
    await expectLeft(one, 0);
    await one.limiter.close();
  });

  it('but the lease of permits that are held, until they went back', async () => {
    const one = node([leased], { sizing: fixedLeases(10) });
    await checkAll(one);
    await expectLeft(one, CALLERS);
    await tick(one);
    await expectLeft(one, 0);
    expect(one.store.returns.reduce((sum, { amount }) => sum + amount, 0)).toBe(9 * CALLERS);
    await one.limiter.close();
  });

  it('but the lease of a trip in the air, which serves who comes meanwhile', async () => {
    const one = node([exact]);
    const open = one.store.hold();
    const first = one.limiter.check({ key_id: 'k' });
    await new Promise((resolve) => setImmediate(resolve));
    const others = [one.limiter.check({ key_id: 'k' }), one.limiter.check({ key_id: 'k' })];
    open();
    for (const decision of await Promise.all([first, ...others])) expect(decision.allowed).toBe(true);
    expect(one.store.asks.map(({ want }) => want)).toEqual([1, 2]);
    await one.limiter.close();
  });

  it('but the lease that admits before the store knows, until all of it is reported', async () => {
    const one = node([{ ...leased, consistency: 'approximate' }], { fleetSize: 1 });
    await checkAll(one);
    expect(one.limiter.stats().decisions.local).toBe(CALLERS);
    await expectLeft(one, CALLERS);
    for (let turns = 0; turns < 6; turns += 1) await tick(one);
    expect(one.limiter.stats().reported).toBe(CALLERS);
    await expectLeft(one, 0);
    await one.limiter.close();
  });
});
