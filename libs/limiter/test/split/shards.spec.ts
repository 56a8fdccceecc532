import { counterKey, shardKey } from '@sluice/lua-scripts';
import { fakeClock } from '@sluice/testkit';
import { createLimiter, memoryStore, type Decision, type Limiter } from '../../src/index.js';
import { partOf } from '../../src/split/split.js';
import { Remote } from '../support/remote.js';
import { allowed, checks, node, rulesOf, START_MS, type RuleInput } from '../support/fixture.js';

const key = { key_id: 'hot' };
const split: RuleInput = { rule_id: 'hot', limit: 100, window_seconds: 60, algorithm: 'fixed_window', shards: 4 };
const exact: RuleInput = { ...split, consistency: 'exact' };
const names = (of: number): string[] => Array.from({ length: of }, (_, at) => shardKey(counterKey('hot~fw60000', ['hot']), at, of));

/** Several nodes on one store. */
function fleet(rules: readonly RuleInput[], size: number) {
  const clock = fakeClock(START_MS);
  const store = new Remote(memoryStore(clock), () => clock.nowMs());
  const limiters = Array.from({ length: size }, (_, at) => createLimiter({ store, rules: rulesOf(rules), clock, nodeId: `node-${at}` }));
  return { clock, store, limiters, close: () => Promise.all(limiters.map((limiter) => limiter.close())) };
}

async function inTurn(limiters: readonly Limiter[], count: number, cost = 1): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let at = 0; at < count; at += 1) decisions.push(await limiters[at % limiters.length]!.check(key, cost));
  return decisions;
}

describe('R28 the parts of a limit', () => {
  it.each([[100, 4], [103, 4], [1_000_000_007, 64], [20, 1], [Number.MAX_SAFE_INTEGER, 63]])('%i in %i add up to it, and differ by one at most', (whole, of) => {
    const parts = Array.from({ length: of }, (_, at) => partOf(whole, at, of));
    expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(whole));
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
  });
});

describe.each([['leased', split], ['exact', exact]])('R28 a counter split by rule, %s', (_, rule) => {
  it('is asked in one shard until that is dry, then in the next: nobody is refused while another has permits', async () => {
    const { limiter, store } = node([rule], { nodeId: 'n' });
    const decisions = await checks(limiter, 104, key);
    expect(allowed(decisions)).toBe(100);
    expect(decisions.slice(0, 100).every((decision) => decision.allowed)).toBe(true);
    const asked = store.asks.map((ask) => ask.key);
    const order = asked.filter((name, at) => name !== asked[at - 1]);
    const home = names(4).indexOf(order[0] ?? '');
    // Each in turn from the home on; at the end those that are not known to be dry once more, and no more.
    expect(order.slice(0, 4)).toEqual([0, 1, 2, 3].map((step) => names(4)[(home + step) % 4]));
    await limiter.close();
  });

  it('admits its limit and no more, from all nodes together, and goes on with the next window', async () => {
    const { clock, limiters, close } = fleet([{ ...rule, limit: 403 }], 5);
    expect(allowed(await inTurn(limiters, 450))).toBe(403);
    clock.advance(62_000);
    expect(allowed(await inTurn(limiters, 450))).toBe(403);
    await close();
  });

  it('shows what is left over all shards, and peeks and resets all of them', async () => {
    const { limiter, store } = node([rule]);
    const decisions = await checks(limiter, 100, key);
    // But for permits that a lease takes up in the same instant.
    decisions.forEach(({ deciding }, at) => expect(Math.abs((deciding?.remaining ?? 0) - (99 - at))).toBeLessThanOrEqual(rule === exact ? 0 : 2));
    expect(decisions[0]?.deciding).toMatchObject({ limit: 100, resetMs: 60_000 });
    const trips = store.trips;
    expect(await limiter.peek(key)).toMatchObject({ allowed: false, reason: 'quota', deciding: { remaining: 0, limit: 100 } });
    expect(store.trips).toBe(trips + 1);
    await limiter.reset(key);
    expect((await limiter.limits(key))[0]).toMatchObject({ remaining: 100 });
    expect(allowed(await checks(limiter, 104, key))).toBe(100);
    await limiter.close();
  });

  it('refuses for as long as the shard that is free first', async () => {
    const { clock, limiter } = node([{ ...rule, algorithm: 'gcra' }]);
    await checks(limiter, 100, key);
    const { retryAfterMs = 0, deciding } = await limiter.check(key);
    // A permit of a shard each 2.4 s; a paced node may wait longer, never shorter.
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(2_400);
    expect(deciding?.remaining).toBe(0);
    clock.advance(retryAfterMs);
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });

  it('refuses a cost that no shard can hold, for ever, and takes one that fits', async () => {
    const { limiter, store } = node([{ ...rule, limit: 103 }]);
    expect(await limiter.check(key, 26)).toMatchObject({ allowed: false, reason: 'cost_exceeds_limit', retryAfterMs: undefined });
    expect(await limiter.peek(key, 26)).toMatchObject({ allowed: false, reason: 'cost_exceeds_limit' });
    expect(store.asks).toEqual([]);
    expect(allowed(await checks(limiter, 5, key, 25))).toBe(4);
    await limiter.close();
  });

  it('gives refunds and settlements to the shard that was charged', async () => {
    const { limiter } = node([rule]);
    const decisions = await checks(limiter, 100, key);
    expect((await limiter.check(key)).allowed).toBe(false);
    expect(await limiter.refund(decisions[60]!)).toBe(1);
    expect((await limiter.check(key)).allowed).toBe(true);
    expect((await limiter.check(key)).allowed).toBe(false);
    await limiter.reset(key);
    const { id = '' } = await limiter.reserve(key, 20);
    expect(await limiter.settle(id, 5)).toMatchObject({ status: 'settled', charged: 5, returned: 15 });
    expect((await limiter.limits(key))[0]).toMatchObject({ remaining: 95 });
    const over = await limiter.reserve(key, 10);
    expect(await limiter.settle(over.id ?? '', 40)).toMatchObject({ status: 'settled', charged: 40, indebted: 30 });
    await limiter.close();
  });
});

describe('R28 under overload', () => {
  it('remembers that all shards are dry: a refusal costs no trip', async () => {
    const { limiter, store } = node([split]);
    await checks(limiter, 110, key);
    const { trips } = store;
    expect(allowed(await checks(limiter, 1000, key))).toBe(0);
    expect(store.trips).toBe(trips);
    await limiter.close();
  });

  it('an exact one is asked each time, and then in one shard', async () => {
    const { limiter, store } = node([exact]);
    await checks(limiter, 110, key);
    const { asks } = store;
    const before = asks.length;
    expect(allowed(await checks(limiter, 100, key))).toBe(0);
    expect(store.asks.length - before).toBe(100);
    await limiter.close();
  });
});

describe('R28 beside other limits', () => {
  it.each([['leased', split], ['exact', exact]])('%s: all or none', async (_, rule) => {
    const other: RuleInput = { rule_id: 'other', policy: 'other', limit: 60, window_seconds: 60, algorithm: 'fixed_window', consistency: 'exact' };
    const { limiter, memory } = node([rule, other]);
    expect(allowed(await checks(limiter, 80, key))).toBe(60);
    await limiter.close();
    const { limiter: reader } = node([rule, other], { store: memory });
    expect((await reader.limits(key)).map(({ remaining }) => remaining).sort()).toEqual([0, 40]);
    await reader.close();
  });

  it('two split ones', async () => {
    const { limiter } = node([exact, { ...exact, rule_id: 'two', policy: 'two', limit: 80 }]);
    expect(allowed(await checks(limiter, 120, key))).toBe(80);
    await limiter.close();
  });
});

describe('R28 R61 a change of the rule', () => {
  it('of the limit meets the shards as they are', async () => {
    const { limiter } = node([split]);
    await checks(limiter, 100, key);
    limiter.use(rulesOf([{ ...split, limit: 140, version: 2 }], { version: 2 }));
    expect(allowed(await checks(limiter, 50, key))).toBe(40);
    limiter.use(rulesOf([{ ...split, limit: 100, version: 3 }], { version: 3 }));
    expect(await limiter.check(key)).toMatchObject({ allowed: false, deciding: { remaining: 0 } });
    await limiter.close();
  });

  it('that changes nothing keeps what is known', async () => {
    const { limiter, store } = node([split]);
    await checks(limiter, 110, key);
    const { trips } = store;
    limiter.use(rulesOf([split], { version: 2 }));
    expect(await limiter.check(key)).toMatchObject({ allowed: false, deciding: { remaining: 0 } });
    expect(store.trips).toBe(trips);
    await limiter.close();
  });

  it('of the number of shards starts clean', async () => {
    const { limiter } = node([split]);
    await checks(limiter, 100, key);
    limiter.use(rulesOf([{ ...split, shards: 5 }], { version: 2 }));
    expect(allowed(await checks(limiter, 104, key))).toBe(100);
    limiter.use(rulesOf([{ ...split, shards: 1 }], { version: 3 }));
    expect(allowed(await checks(limiter, 104, key))).toBe(100);
    await limiter.close();
  });

  it.each([[160, 150], [100, 200], [100, 30], [1000, 900], [160, 5], [5, 160]])('of the limit from %i to %i never starts clean, however small the shards', async (from, to) => {
    const { limiter } = node([{ ...exact, limit: from, shards: 8 }]);
    expect(allowed(await checks(limiter, from + 20, key))).toBe(from);
    limiter.use(rulesOf([{ ...exact, limit: to, shards: 8, version: 2 }], { version: 2 }));
    expect(allowed(await checks(limiter, to + 20, key))).toBe(Math.max(0, to - from));
    await limiter.close();
  });

  // The bounds of docs/adr/0013-split-counters.md: lowered from L to M, at most M x (1 - M / L) more than one counter.
  it.each([
    { used: 0, lowered: 200, raised: 300 },
    { used: 100, lowered: 250, raised: 325 },
    { used: 200, lowered: 300, raised: 350 },
    { used: 300, lowered: 350, raised: 375 },
    { used: 400, lowered: 400, raised: 400 },
  ])('from 400 to 200 after $used were used in shards that it filled stops at $lowered, and at $raised of 300', async ({ used, lowered, raised }) => {
    const version = (limit: number, number: number) => rulesOf([{ ...exact, limit, version: number }], { version: number });
    const { limiter } = node(version(400, 1));
    let sum = allowed(await checks(limiter, used, key));
    expect(sum).toBe(used);
    for (const [limit, at, most] of [[200, 2, lowered], [300, 3, raised]] as const) {
      const before = sum;
      limiter.use(version(limit, at));
      sum += allowed(await checks(limiter, 500, key));
      expect(sum).toBe(most);
      expect(sum - Math.max(before, limit)).toBeLessThanOrEqual(limit * (1 - limit / 400));
    }
    await limiter.close();
  });

  it('an override meets the shards as they are, and so does its end', async () => {
    const overrides = [{ override_id: 'o', rule_id: 'hot', key_id: 'hot', limit: 50, expires_at: '2030-01-01T00:00:00Z' }];
    const { limiter } = node([{ ...exact, limit: 500, shards: 8 }]);
    expect(allowed(await checks(limiter, 600, key))).toBe(500);
    limiter.use(rulesOf([{ ...exact, limit: 500, shards: 8 }], { version: 2, overrides }));
    expect(allowed(await checks(limiter, 100, key))).toBe(0);
    limiter.use(rulesOf([{ ...exact, limit: 500, shards: 8 }], { version: 3 }));
    expect(allowed(await checks(limiter, 100, key))).toBe(0);
    await limiter.close();
  });

  it.each([[45, 4], [3, 3], [1, 1]])('an override of %i is counted in %i of four shards', async (limit, used) => {
    const overrides = [{ override_id: 'o', rule_id: 'hot', key_id: 'hot', limit, expires_at: '2030-01-01T00:00:00Z' }];
    const { limiter, store } = node(rulesOf([split], { overrides }));
    expect(allowed(await checks(limiter, limit + 5, key))).toBe(limit);
    expect(new Set(store.asks.map((ask) => ask.key))).toEqual(new Set(names(4).slice(0, used)));
    await limiter.close();
  });
});

describe('R28 R41 while the store is away', () => {
  it('a node goes on with its part of the whole limit', async () => {
    const { limiter, store } = node([{ ...split, limit: 200 }], { fleetSize: 4 });
    store.fault = (await import('../../src/store/store-fault.js')).LEFT_ALONE;
    const decisions = await checks(limiter, 100, key);
    expect(allowed(decisions)).toBe(50);
    expect(decisions.every(({ deciding }) => deciding?.source === 'fallback')).toBe(true);
    await limiter.close();
  });
});
