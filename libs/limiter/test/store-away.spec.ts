import { StoreFault } from '../src/index.js';
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
    expect(limiter.stats()).toMatchObject({ faults: 40, decisions: { fallback: 40 } });
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
