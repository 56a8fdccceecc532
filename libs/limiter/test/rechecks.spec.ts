import { fakeClock } from '@sluice/testkit';
import { createLimiter, type Limiter, memoryStore, StoreFault } from '../src/index.js';
import { allowed, checks, rulesOf, type RuleInput, START_MS } from './support/fixture.js';
import { Remote } from './support/remote.js';

const key = { key_id: 'k' };
const DAY: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: 10, window_seconds: 86_400 };
const HOUR_MS = 3_600_000;

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Two nodes on one store: what comes back by one, the other does not hear of. */
function fleet(rules: readonly RuleInput[]) {
  const clock = fakeClock(START_MS);
  const memory = memoryStore(clock);
  const stores = [new Remote(memory, () => clock.nowMs()), new Remote(memory, () => clock.nowMs())] as const;
  const make = (store: Remote): Limiter => createLimiter({ store, rules: rulesOf(rules), clock, fleetSize: 2, random: seeded(7) });
  return { clock, stores, one: make(stores[0]), other: make(stores[1]) };
}

describe('R24 a refusal from memory hears of what came back on another node', () => {
  const returns: readonly (readonly [string, number, (limiter: Limiter) => Promise<() => Promise<unknown>>])[] = [
    ['a refund (R9)', 2, async (other) => {
      const [first, second] = await checks(other, 10, key);
      return async () => {
        if (first !== undefined && second !== undefined) await Promise.all([other.refund(first), other.refund(second)]);
      };
    }],
    ['a settlement (R14)', 9, async (other) => {
      const { id } = await other.reserve(key, 10);
      return () => other.settle(id ?? '', 1);
    }],
    ['a reset', 10, async (other) => {
      await checks(other, 10, key);
      return () => other.reset(key);
    }],
  ];

  it.each(returns)('%s', async (_what, given, use) => {
    const { clock, one, other } = fleet([DAY]);
    const comesBack = await use(other);
    expect((await one.check(key)).allowed).toBe(false);
    await comesBack();
    let admitted = 0;
    for (let at = 0; at < 20; at += 1) {
      clock.advance(5_001);
      if ((await one.check(key)).allowed) admitted += 1;
    }
    expect(admitted).toBe(given);
    await Promise.all([one.close(), other.close()]);
  });

  it('of two limits that both refuse', async () => {
    const { clock, one, other } = fleet([DAY, { ...DAY, rule_id: 'p', policy: 'p', limit: 5 }]);
    const taken = await checks(other, 5, key);
    const more = await checks(other, 5, { key_id: 'x' });
    expect([...taken, ...more].every((decision) => decision.allowed)).toBe(true);
    expect((await one.check(key)).allowed).toBe(false);
    await other.reset(key);
    clock.advance(5_001);
    expect((await one.check(key)).allowed).toBe(true);
    await Promise.all([one.close(), other.close()]);
  });

  it('of a split counter', async () => {
    const { clock, one, other } = fleet([{ ...DAY, limit: 4_000, shards: 4 }]);
    while ((await other.check(key, 50)).allowed);
    while ((await one.check(key, 50)).allowed);
    await other.reset(key);
    let admitted = 0;
    for (let at = 0; at < 20; at += 1) {
      clock.advance(5_001);
      if ((await one.check(key)).allowed) admitted += 1;
    }
    expect(admitted).toBeGreaterThanOrEqual(17);
    await Promise.all([one.close(), other.close()]);
  });
});

describe('R25 a key that is known to be dry is not asked for often', () => {
  it.each([1, 10, 100, 1_000])('about once in 5 s, with a request each %i ms', async (gapMs) => {
    const { clock, stores, one, other } = fleet([DAY]);
    await checks(other, 10, key);
    await one.check(key);
    const before = stores[0].asks.length;
    for (const endMs = clock.nowMs() + 200_000; clock.nowMs() < endMs; clock.advance(gapMs)) await one.check(key);
    const asks = stores[0].asks.length - before;
    expect(asks).toBeGreaterThan(15);
    expect(asks).toBeLessThan(65);
    await Promise.all([one.close(), other.close()]);
  });

  it('tells the long wait all the same (R70), and tells a short one without an ask', async () => {
    const { clock, stores, one, other } = fleet([DAY]);
    await checks(other, 10, key);
    await one.check(key);
    clock.advance(HOUR_MS);
    expect((await one.check(key)).retryAfterMs).toBe(23 * HOUR_MS);
    const asks = stores[0].asks.length;
    clock.advance(23 * HOUR_MS - 6_000);
    await one.check(key);
    expect(stores[0].asks).toHaveLength(asks + 1);
    clock.advance(5_000);
    expect((await one.check(key)).retryAfterMs).toBe(1_000);
    expect(stores[0].asks).toHaveLength(asks + 1);
    await Promise.all([one.close(), other.close()]);
  });
});

describe('R41 what the store is known to refuse is not admitted for want of it', () => {
  it.each([[[DAY]], [[DAY, { ...DAY, rule_id: 'p', policy: 'p', limit: 100 }]]])('with %j', async (rules) => {
    const { clock, stores, one, other } = fleet(rules);
    await checks(other, 10, key);
    await one.check(key);
    stores[0].fault = new StoreFault('timeout', 'away');
    const decisions = [];
    for (let at = 0; at < 20; at += 1) {
      clock.advance(6_000);
      decisions.push(await one.check(key));
    }
    expect(allowed(decisions)).toBe(0);
    expect(decisions.map(({ deciding }) => deciding?.source)).toEqual(decisions.map(() => 'local'));
    await Promise.all([one.close(), other.close()]);
  });
});
