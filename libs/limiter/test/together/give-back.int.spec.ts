import { randomBytes } from 'node:crypto';
import { ALGORITHMS } from '@sluice/algorithms';
import fc from 'fast-check';
import { createLimiter, fixedLeases, StoreFault, type Limiter, type LimiterOptions } from '../../src/index.js';
import { node, rulesOf, START_MS, type RuleInput } from '../support/fixture.js';
import { STORES, type Bench } from '../support/stores.js';

const key = { key_id: 'a' };
const perKey = (limit: number, more: Partial<RuleInput> = {}): RuleInput => ({ rule_id: 'key', limit, window_seconds: 60, ...more });

async function left(limiter: Limiter): Promise<number[]> {
  return (await limiter.limits(key)).map(({ remaining }) => remaining);
}

describe.each(STORES)('R9 permits given back without a decision, on %s', (_name, open) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 60_000);
  afterAll(() => bench.store.close());

  let lastPrefix: string;
  function limiterOn(rules: readonly RuleInput[], options: Partial<LimiterOptions> = {}): Limiter {
    bench.clock.set(START_MS);
    lastPrefix = randomBytes(6).toString('hex');
    return createLimiter({ store: bench.store, clock: bench.clock, rules: rulesOf(rules), fleetSize: 1, keyPrefix: lastPrefix, ...options });
  }

  it.each(ALGORITHMS)('known failure 7: %s: at remaining 0 too, and never above the limit', async (algorithm) => {
    const limiter = limiterOn([perKey(10, { algorithm, consistency: 'exact' })]);
    await limiter.check(key, 4);
    bench.clock.advance(1);
    await limiter.check(key, 6);
    const drained = await left(limiter);
    expect(await limiter.giveBack(key, 3)).toBe(3);
    expect(await left(limiter)).toEqual(drained.map((each) => each + 3));
    expect(await limiter.giveBack(key, 100)).toBe(7);
    expect(await left(limiter)).toEqual([10]);
    expect(await limiter.giveBack(key, 1)).toBe(0);
    await limiter.close();
  });

  it('to every counter that applies, those in shadow as well', async () => {
    const limiter = limiterOn([perKey(10), perKey(20, { rule_id: 'day', policy: 'day', window_seconds: 86_400 }), perKey(5, { rule_id: 'staged', policy: 'staged', mode: 'shadow', consistency: 'exact' })], { sizing: fixedLeases(1) });
    await limiter.check(key, 4);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await limiter.giveBack(key, 3)).toBe(9);
    expect(await left(limiter)).toEqual([19, 9]);
    expect((await limiter.peek(key)).shadow).toMatchObject([{ remaining: 4 }]);
    await limiter.close();
  });

  it('known failure 72: nothing to a window that is over', async () => {
    const limiter = limiterOn([perKey(10, { algorithm: 'fixed_window' })]);
    await limiter.check(key, 10);
    bench.clock.advance(60_000);
    expect([await limiter.giveBack(key, 5), await left(limiter)]).toEqual([0, [10]]);
    await limiter.check(key, 2);
    expect([await limiter.giveBack(key, 5), await left(limiter)]).toEqual([2, [10]]);
    await limiter.close();
  });

  it('what was charged a sub-bucket ago is still in use, and goes back there', async () => {
    const limiter = limiterOn([perKey(10, { sub_buckets: 6 })]);
    await limiter.check(key, 4);
    bench.clock.advance(10_000);
    await limiter.check(key, 3);
    expect([await limiter.giveBack(key, 5), await left(limiter)]).toEqual([5, [8]]);
    await limiter.close();
  });

  it('R23 not what this node holds', async () => {
    const keyPrefix = randomBytes(6).toString('hex');
    const limiter = limiterOn([perKey(1_000)], { sizing: fixedLeases(20), keyPrefix });
    const other = limiterOn([perKey(1_000)], { keyPrefix });
    await limiter.check(key, 2);
    const [held = 0] = await left(other);
    expect(held).toBe(980);
    expect([await limiter.giveBack(key, 10), await left(other), await left(limiter)]).toEqual([2, [982], [1_000]]);
    // Of another node's it can not be told.
    expect([await other.giveBack(key, 5), await left(limiter)]).toEqual([5, [1_005]]);
    await limiter.close();
    expect(await left(other)).toEqual([1_000]);
    await other.close();
  });

  it.each(ALGORITHMS)('several at once give back what is in use once: %s', async (algorithm) => {
    const limiter = limiterOn([perKey(1_000, { algorithm, window_seconds: 36_000 })], { sizing: fixedLeases(20) });
    for (let at = 0; at < 25; at += 1) await limiter.check(key);
    const given = await Promise.all(Array.from({ length: 5 }, () => limiter.giveBack(key, 20)));
    expect(given.reduce((sum, each) => sum + each, 0)).toBe(25);
    await limiter.close();
    const after = createLimiter({ store: bench.store, clock: bench.clock, rules: rulesOf([perKey(1_000, { algorithm, window_seconds: 36_000 })]), fleetSize: 1, keyPrefix: lastPrefix });
    expect(await left(after)).toEqual([1_000]);
    await after.close();
  });

  it('R23 not what this node is granted while the use is read', async () => {
    const limiter = limiterOn([perKey(1_000, { window_seconds: 36_000 })], { sizing: fixedLeases(20) });
    const asked = limiter.check(key);
    // By now the ask is on its way, in front of what reads the use.
    await new Promise((sent) => process.nextTick(sent));
    const given = await limiter.giveBack(key, 50);
    expect((await asked).allowed).toBe(true);
    expect(given).toBeLessThanOrEqual(1);
    expect(given + (await limiter.giveBack(key, 50))).toBe(1);
    await limiter.close();
  });

  it('of a split counter to the shards that are in use', async () => {
    const limiter = limiterOn([perKey(200, { shards: 4, algorithm: 'fixed_window' })]);
    for (let at = 0; at < 150; at += 1) await limiter.check(key);
    const [before = 0] = await left(limiter);
    expect(before).toBe(50);
    expect([await limiter.giveBack(key, 120), await left(limiter)]).toEqual([120, [170]]);
    expect([await limiter.giveBack(key, 120), await left(limiter)]).toEqual([30, [200]]);
    await limiter.close();
  });

  it('never more than was used, and all that was asked as far as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('exact', 'leased', 'approximate'), fc.array(fc.record({ takes: fc.integer({ min: 1, max: 30 }), gives: fc.integer({ min: 0, max: 40 }) }), { maxLength: 8 }), async (consistency, steps) => {
        const limiter = limiterOn([perKey(100, { algorithm: 'fixed_window', consistency })]);
        let used = 0;
        for (const { takes, gives } of steps) {
          if ((await limiter.check(key, takes)).allowed) used += takes;
          const given = await limiter.giveBack(key, gives);
          expect(given).toBe(Math.min(gives, used));
          used -= given;
          expect(await left(limiter)).toEqual([100 - used]);
        }
        await limiter.close();
      }),
      { seed: 9, numRuns: 40 },
    );
  }, 20_000);
});

describe('R41 permits given back while the store is away', () => {
  it('go to what the node counts by itself, where the rule lets it', async () => {
    const { limiter, store } = node([perKey(10, { algorithm: 'fixed_window' }), perKey(10, { rule_id: 'login', policy: 'login', endpoint: 'POST /login', on_store_failure: 'deny' })]);
    store.fault = new StoreFault('timeout', 'no answer');
    expect(await limiter.check(key, 6)).toMatchObject({ allowed: true, deciding: { source: 'fallback' } });
    expect([await limiter.giveBack(key, 2), await left(limiter)]).toEqual([2, [6]]);
    expect(await limiter.giveBack({ ...key, endpoint: 'POST /login' }, 9)).toBe(4);
    await limiter.close();
  });

  it.each([-1, 0.5, Number.NaN])('an amount of %s is none', async (amount) => {
    const { limiter } = node([perKey(10)]);
    await expect(limiter.giveBack(key, amount)).rejects.toThrow(RangeError);
    await limiter.close();
  });
});
