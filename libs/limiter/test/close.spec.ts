import { allowed, checks, node, type RuleInput } from './support/fixture.js';

const RULE: RuleInput = { rule_id: 'r', limit: 100, window_seconds: 60 };

/** Lets everything run that waits for nothing but its turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('R44 a limiter that closes', () => {
  it.each(['leased', 'exact'] as const)('ends while requests keep coming (%s)', async (consistency) => {
    const { limiter, store } = node([{ ...RULE, consistency }], { fleetSize: 1 });
    let release = store.hold();
    const first = limiter.check({ key_id: 'a' });
    let closed = false;
    const closing = limiter.close().then(() => (closed = true));
    for (let at = 0; at < 50 && !closed; at += 1) {
      const before = release;
      release = store.hold();
      void limiter.check({ key_id: `k${at}` });
      void limiter.peek({ key_id: `k${at}` });
      before();
      await turn();
    }
    expect(closed).toBe(true);
    release();
    await Promise.all([first, closing]);
  });

  it('decides what still comes by itself, without a trip and without a key to remember (R41)', async () => {
    const { limiter, store } = node([RULE, { ...RULE, rule_id: 'u', policy: 'u', limit: 60, count_by: ['user_id'] }], { fleetSize: 2 });
    await limiter.check({ key_id: 'k', user_id: 'u' });
    await limiter.close();
    const asked = store.asks.length;
    const { activeKeys } = limiter.stats();
    const decisions = await checks(limiter, 100, { key_id: 'other', user_id: 'other' });
    expect(allowed(decisions)).toBe(30);
    expect(decisions.every(({ deciding }) => deciding?.source === 'fallback')).toBe(true);
    // All or none: what the other limit refused was not charged.
    expect(allowed(await checks(limiter, 100, { key_id: 'other', user_id: 'third' }))).toBe(20);
    expect(store.asks).toHaveLength(asked);
    expect(limiter.stats().activeKeys).toBe(activeKeys);
  });

  it('refuses what still comes where the rule says so, and gives back what it charged itself', async () => {
    const { limiter } = node([{ ...RULE, on_store_failure: 'deny' }], { fleetSize: 1 });
    await limiter.close();
    expect((await limiter.check({ key_id: 'k' })).deciding?.reason).toBe('store_unavailable');
    const other = node([RULE], { fleetSize: 1 }).limiter;
    await other.close();
    expect(await other.refund(await other.check({ key_id: 'k' }, 5))).toBe(5);
    expect((await other.check({ key_id: 'k' }, 101)).deciding?.reason).toBe('cost_exceeds_limit');
  });
});
