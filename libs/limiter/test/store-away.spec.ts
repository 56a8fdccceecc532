import { fixedLeases, StoreFault } from '../src/index.js';
import { allowed, checks, node } from './support/fixture.js';

const key = { key_id: 'k1' };
const gone = new StoreFault('unavailable', 'no connection');

describe('R41 the store is away', () => {
  it('a rule that allows falls back to this node’s share of the limit, and says so', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100, window_seconds: 60 }], { fleetSize: 4 });
    store.fault = gone;
    const decisions = await checks(limiter, 40, key);
    expect(allowed(decisions)).toBe(25);
    expect(decisions.every(({ deciding }) => deciding?.source === 'fallback')).toBe(true);
    expect(limiter.stats()).toMatchObject({ asks: 5, faults: 5, decisions: { fallback: 40 } });
    await limiter.close();
  });

  it('a rule that denies refuses with a reason of its own', async () => {
    const { limiter, store } = node([{ rule_id: 'login', limit: 100, window_seconds: 60, on_store_failure: 'deny' }]);
    store.fault = gone;
    expect(await limiter.check(key)).toMatchObject({ allowed: false, reason: 'store_unavailable', retryAfterMs: 1000 });
    store.fault = undefined;
    expect((await limiter.check(key)).allowed).toBe(true);
    await limiter.close();
  });

  it('a cost above this node’s share is refused as unavailable, to be tried again, not as a quota', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100, window_seconds: 60 }], { fleetSize: 4 });
    store.fault = gone;
    expect(await limiter.check(key, 60)).toMatchObject({ allowed: false, reason: 'store_unavailable', retryAfterMs: 1000 });
    await limiter.close();
  });

  it('a peek says what a check would: by the fallback where the rule allows', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 10, window_seconds: 60 }]);
    store.fault = gone;
    await checks(limiter, 4, key);
    expect(await limiter.peek(key)).toMatchObject({ allowed: true, deciding: { remaining: 6 } });
    expect(await limiter.peek(key, 7)).toMatchObject({ allowed: false, reason: 'quota' });
    await limiter.close();
  });

  it.each([10, 3_000])('R30 a flood of keys does not reset a counter that is at work or refuses, of %i others', async (others) => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 10, window_seconds: 3600 }], { maxKeys: 20 });
    store.fault = gone;
    let admitted = 0;
    for (let round = 0; round < 5; round += 1) {
      admitted += allowed(await checks(limiter, 15, key));
      for (let at = 0; at < others; at += 1) await limiter.check({ key_id: `other-${round}-${at}` });
    }
    expect(admitted).toBe(10);
    expect(limiter.stats().fallbackKeys).toBeLessThanOrEqual(20);
    await limiter.close();
  });

  it('the fallback keeps a bounded number of counters, and forgets them when the outage is over', async () => {
    const { limiter, store, clock } = node([{ rule_id: 'r', limit: 10, window_seconds: 1 }], { maxKeys: 100, sizing: fixedLeases(1) });
    store.fault = gone;
    for (let at = 0; at < 1000; at += 1) await limiter.check({ key_id: `k${at}` });
    expect(limiter.stats().fallbackKeys).toBeLessThanOrEqual(100);
    clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(limiter.stats().fallbackKeys).toBe(0);
    await limiter.close();
  });

  it('gives back what the other limits granted when one refuses for want of the store', async () => {
    const { limiter, store } = node([
      { rule_id: 'login', policy: 'login', limit: 100, window_seconds: 60, on_store_failure: 'deny' },
      { rule_id: 'r', policy: 'r', limit: 2, window_seconds: 60 },
    ]);
    store.fault = gone;
    for (let at = 0; at < 5; at += 1) {
      const { policies } = await limiter.check(key);
      expect(policies.map(({ policy, allowed: ok }) => [policy, ok])).toEqual(expect.arrayContaining([['login', false], ['r', true]]));
    }
    await limiter.close();
  });
});

describe('R40 the breaker', () => {
  it('leaves a store alone that failed five trips in a row, but for a probe each half second, and trusts it again at once', async () => {
    const { limiter, store, clock } = node([{ rule_id: 'r', limit: 1000, window_seconds: 60, consistency: 'exact' }]);
    store.fault = gone;
    await checks(limiter, 50, key);
    expect(store.trips).toBe(5);
    clock.advance(499);
    await checks(limiter, 5, key);
    expect(store.trips).toBe(5);
    clock.advance(1);
    await checks(limiter, 5, key);
    expect(store.trips).toBe(6);
    store.fault = undefined;
    clock.advance(500);
    expect((await limiter.check(key)).deciding?.source).toBe('store');
    expect((await limiter.check(key)).deciding?.source).toBe('store');
    await limiter.close();
  });

  it('known failure 25: asks nothing ahead of need while the last trip failed', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100_000, window_seconds: 60 }], { sizing: fixedLeases(500) });
    store.fault = gone;
    await checks(limiter, 20, key);
    expect(store.asks.map(({ want }) => want)).toEqual([500, 1, 1, 1, 1]);
    await limiter.close();
  });

  it('holds back returns while it is open, and counts them', async () => {
    const { limiter, store, clock } = node([{ rule_id: 'r', limit: 100_000, window_seconds: 60 }], { sizing: fixedLeases(50) });
    await limiter.check(key);
    store.fault = gone;
    await Promise.all(Array.from({ length: 1 }, () => checks(limiter, 10, { key_id: 'other' })));
    clock.advance(250);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(limiter.stats().lost).toBe(49);
    expect(store.returns).toEqual([]);
    await limiter.close();
  });
});
