import { fakeClock } from '@sluice/testkit';
import { createLimiter, fixedLeases, memoryStore, type Decision, type Limiter, type RequestPart } from '../../src/index.js';
import { node, rulesOf, START_MS, type RuleInput } from '../support/fixture.js';

const part = (key_id: string, cost = 1, more: Record<string, string> = {}): RequestPart => ({ attributes: { key_id, ...more }, cost });
const perKey = (limit: number, more: Partial<RuleInput> = {}): RuleInput => ({ rule_id: 'key', limit, window_seconds: 60, ...more });

async function left(limiter: Limiter, key_id: string): Promise<number | undefined> {
  return (await limiter.peek({ key_id })).deciding?.remaining;
}

async function together(limiter: Limiter, ...parts: RequestPart[]): Promise<readonly Decision[]> {
  return limiter.checkTogether(parts);
}

const said = (decisions: readonly Decision[]): unknown[] => decisions.map(({ allowed, reason, deciding }) => [allowed, reason, deciding?.remaining]);

describe.each(['leased', 'exact', 'approximate'] as const)('R8 several parts of one request, %s', (consistency) => {
  it('are all charged, each its own cost', async () => {
    const { limiter } = node([perKey(10, { consistency })]);
    const decisions = await together(limiter, part('a', 2), part('b', 3), part('c'));
    expect(decisions.map(({ allowed, cost, deciding }) => [allowed, cost, deciding?.charge?.amount])).toEqual([[true, 2, 2], [true, 3, 3], [true, 1, 1]]);
    expect([await left(limiter, 'a'), await left(limiter, 'b'), await left(limiter, 'c')]).toEqual([8, 7, 9]);
    await limiter.close();
  });

  it('are charged nowhere when one refuses; who would have passed says so, and what was there before', async () => {
    const { limiter } = node([perKey(10, { consistency })]);
    await limiter.check({ key_id: 'b' }, 9);
    const decisions = await together(limiter, part('a', 2), part('b', 2));
    expect(said(decisions)).toEqual([[true, 'ok', 10], [false, 'quota', 1]]);
    expect(decisions.flatMap(({ policies }) => policies.map(({ charge }) => charge))).toEqual([undefined, undefined]);
    expect(decisions[1]?.retryAfterMs).toBeGreaterThan(0);
    expect([await left(limiter, 'a'), await left(limiter, 'b')]).toEqual([10, 1]);
    await limiter.close();
  });

  it('that meet one counter both count', async () => {
    const { limiter } = node([perKey(3, { consistency })]);
    expect(said(await together(limiter, part('a', 1), part('a', 2)))).toEqual([[true, 'ok', 2], [true, 'ok', 0]]);
    expect(said(await together(limiter, part('b', 1), part('b', 1), part('b', 1)))).toEqual([[true, 'ok', 2], [true, 'ok', 1], [true, 'ok', 0]]);
    await limiter.check({ key_id: 'c' }, 1);
    expect(said(await together(limiter, part('c', 2), part('c', 1)))).toEqual([[true, 'ok', 2], [false, 'quota', 0]]);
    expect(await left(limiter, 'c')).toBe(2);
    await limiter.close();
  });

  it('that meet one counter with more than its limit never pass', async () => {
    const { limiter } = node([perKey(3, { consistency })]);
    const decisions = await together(limiter, part('a', 2), part('a', 2));
    expect(said(decisions)).toEqual([[true, 'ok', 3], [false, 'cost_exceeds_limit', 3]]);
    expect(decisions[1]?.retryAfterMs).toBeUndefined();
    expect(await left(limiter, 'a')).toBe(3);
    await limiter.close();
  });

  it('are all refused when one costs more than its limit', async () => {
    const { limiter } = node([perKey(10, { consistency })]);
    expect(said(await together(limiter, part('a', 2), part('b', 11)))).toEqual([[true, 'ok', 10], [false, 'cost_exceeds_limit', 10]]);
    expect(await left(limiter, 'a')).toBe(10);
    await limiter.close();
  });

  it('of cost 0 are peeks: they refuse nothing, and see the counters as they were', async () => {
    const { limiter } = node([perKey(3, { consistency })]);
    await limiter.check({ key_id: 'b' }, 3);
    expect(said(await together(limiter, part('a', 2), part('b', 0), part('a', 0)))).toEqual([[true, 'ok', 1], [true, 'ok', 0], [true, 'ok', 3]]);
    expect(await left(limiter, 'a')).toBe(1);
    await limiter.close();
  });

  it('are decided while the limiter closes, and afterwards: all or none', async () => {
    const { limiter } = node([perKey(3, { consistency })]);
    await limiter.close();
    expect(said(await together(limiter, part('a', 2), part('b', 1), part('a', 1)))).toEqual([[true, 'ok', 1], [true, 'ok', 2], [true, 'ok', 0]]);
    expect(said(await together(limiter, part('b', 2), part('a', 1)))).toEqual([[true, 'ok', 2], [false, 'quota', 0]]);
    expect(said(await together(limiter, part('b', 2)))).toEqual([[true, 'ok', 0]]);
  });

  it('without a rule, or no part at all', async () => {
    const { limiter } = node([perKey(3, { consistency })]);
    expect(said(await together(limiter, { attributes: { user_id: 'u' }, cost: 1 }, part('a')))).toEqual([[true, 'no_rule', undefined], [true, 'ok', 2]]);
    expect(await together(limiter)).toEqual([]);
    await limiter.close();
  });

  it('give back what each was charged', async () => {
    const { limiter } = node([perKey(10, { consistency })]);
    const [first, second] = await together(limiter, part('a', 2), part('a', 3));
    if (first === undefined || second === undefined) throw new Error('two decisions');
    expect([await limiter.refund(second), await left(limiter, 'a'), await limiter.refund(first), await left(limiter, 'a')]).toEqual([3, 8, 2, 10]);
    await limiter.close();
  });
});

describe('R20 several parts from leases', () => {
  it('are decided at once when every permit is at hand, of one counter too', async () => {
    const { limiter, store } = node([perKey(1_000)], { sizing: fixedLeases(20) });
    await together(limiter, part('a'), part('b'));
    const trips = store.trips;
    const decisions = limiter.checkTogether([part('a', 2), part('b', 2), part('a', 3)]);
    if (decisions instanceof Promise) throw new Error('it waits');
    expect(decisions.map(({ deciding }) => [deciding?.source, deciding?.charge?.amount])).toEqual([['local', 2], ['local', 2], ['local', 3]]);
    expect(store.trips).toBe(trips);
    expect([await left(limiter, 'a'), await left(limiter, 'b')]).toEqual([994, 997]);
    await limiter.close();
  });

  it('a lease that has enough for each of two parts but not for both is not spent twice', async () => {
    const { limiter, store } = node([perKey(1_000)], { sizing: fixedLeases(5) });
    await together(limiter, part('a'), part('b'));
    const asks = store.asks.length;
    await together(limiter, part('a', 3), part('a', 3));
    expect(store.asks.length).toBe(asks + 1);
    expect(await left(limiter, 'a')).toBe(993);
    await limiter.close();
  });

  it('asks for all that is short in one trip', async () => {
    const { limiter, store } = node([perKey(1_000)], { sizing: fixedLeases(5) });
    await together(limiter, part('a'), part('b'), part('c'));
    expect([store.trips, store.asks.length]).toEqual([1, 3]);
    await limiter.close();
  });
});

describe('R8 exact limits of several parts', () => {
  it('are one atomic step, in which no counter comes twice', async () => {
    const { limiter, store } = node([perKey(10, { consistency: 'exact' })]);
    await together(limiter, part('a', 2), part('b'), part('a', 3));
    expect([store.trips, store.asks.map(({ need }) => need)]).toEqual([1, [5, 1]]);
    await limiter.close();
  });

  it('R70 the wait is that of the limit that refuses, read where another one refuses from memory', async () => {
    const { limiter } = node([perKey(3), { rule_id: 'user', policy: 'user', count_by: ['user_id'], limit: 2, window_seconds: 3600, consistency: 'exact' }]);
    await limiter.check({ key_id: 'a' }, 3);
    await limiter.check({ user_id: 'u' }, 2);
    await limiter.check({ key_id: 'a' }, 1);
    const decisions = await together(limiter, part('a'), { attributes: { user_id: 'u' }, cost: 1 });
    expect(decisions.map(({ allowed }) => allowed)).toEqual([false, false]);
    expect(decisions[1]?.retryAfterMs).toBeGreaterThan(60_000);
    await limiter.close();
  });

  it('R7 a rule that charges denials charges its own, of another part it does not', async () => {
    const { limiter } = node([perKey(5, { charge_denied: true })]);
    await together(limiter, part('a', 3), part('a', 3));
    await limiter.check({ key_id: 'b' }, 4);
    await together(limiter, part('a', 1), part('b', 2));
    expect([await left(limiter, 'a'), await left(limiter, 'b')]).toEqual([5, 0]);
    await limiter.close();
  });

  it('R2 a shaper holds the parts back, as all that they take', async () => {
    const { limiter } = node([perKey(60, { algorithm: 'leaky_bucket', burst: 10, shape: true })]);
    await limiter.check({ key_id: 'a' }, 2);
    expect((await together(limiter, part('a', 2), part('a', 1))).map(({ delayMs }) => delayMs)).toEqual([2_000, 2_000]);
    await limiter.close();
  });
});

describe('R14 a peek beside charges', () => {
  it('says that its counter is beyond the limit, by debt, and stops nobody', async () => {
    const { limiter } = node([perKey(10, { algorithm: 'fixed_window' })]);
    const { id = '' } = await limiter.reserve({ key_id: 'a' }, 1);
    await limiter.settle(id, 10);
    expect(said(await together(limiter, part('a', 0)))).toEqual([[true, 'ok', 0]]);
    const second = await limiter.reserve({ key_id: 'b' }, 1);
    await limiter.settle(second.id ?? '', 11);
    const decisions = await together(limiter, part('b', 0), part('c', 1));
    expect(said(decisions)).toEqual([[false, 'quota', 0], [true, 'ok', 9]]);
    expect(decisions[0]?.retryAfterMs).toBe(60_000);
    await limiter.close();
  });
});

describe('R28 a split counter that two parts meet', () => {
  it('is asked for both in one shard, never above its limit', async () => {
    const { limiter } = node([perKey(200, { shards: 4, algorithm: 'fixed_window' })]);
    let admitted = 0;
    for (let at = 0; at < 60; at += 1) {
      const decisions = await together(limiter, part('a', 2), part('b'), part('a', 3));
      if (decisions.every(({ allowed }) => allowed)) admitted += 1;
    }
    expect(admitted).toBe(40);
    expect([await left(limiter, 'a'), await left(limiter, 'b')]).toEqual([0, 160]);
    await limiter.close();
  });
});

describe('R11 callers that share a counter, since the rule has too many keys', () => {
  it('count there as two parts of one counter', async () => {
    const { limiter } = node([perKey(10, { consistency: 'exact' })], { maxKeysPerRule: 1 });
    await limiter.check({ key_id: 'first' });
    expect(said(await together(limiter, part('x', 6), part('y', 5)))).toEqual([[true, 'ok', 10], [false, 'cost_exceeds_limit', 10]]);
    expect(said(await together(limiter, part('x', 6), part('y', 4)))).toEqual([[true, 'ok', 4], [true, 'ok', 0]]);
    await limiter.close();
  });
});

describe('R9 what is no part', () => {
  it.each([
    { attributes: {}, cost: -1 },
    { attributes: {}, cost: 0.5 },
    { attributes: {}, cost: 1, given: { limit: -1, windowMs: 1_000 } },
    { attributes: {}, cost: 1, given: { limit: 1, windowMs: 99 } },
    { attributes: {}, cost: 1, given: { limit: 1, windowMs: 2_592_000_000, calendar: { unit: 'month', timeZone: 'Nowhere/Else' } } },
  ] as const)('%j throws, and charges nothing', async (bad) => {
    const { limiter } = node([perKey(10)]);
    expect(() => limiter.checkTogether([part('a'), bad])).toThrow(RangeError);
    expect(await left(limiter, 'a')).toBe(10);
    await limiter.close();
  });
});

describe('R90 several parts on the memory store itself', () => {
  it('need no promise, whatever has to be asked', async () => {
    const clock = fakeClock(START_MS);
    const limiter = createLimiter({ store: memoryStore(clock), rules: rulesOf([perKey(5)]), clock });
    for (const allowed of [true, true, false]) {
      const decisions = limiter.checkTogether([part('a', 2), part('b')]);
      if (decisions instanceof Promise) throw new Error('it waits');
      expect(decisions.every((decision) => decision.allowed)).toBe(allowed);
    }
    await limiter.close();
  });
});
