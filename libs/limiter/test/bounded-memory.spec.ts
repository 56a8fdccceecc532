import { fakeClock } from '@sluice/testkit';
import { createLimiter, fixedLeases, memoryStore } from '../src/index.js';
import { checks, node, rulesOf, START_MS } from './support/fixture.js';

const DAY = { rule_id: 'r', limit: 1_000, window_seconds: 86_400 };

describe('R30 many more keys than fit', () => {
  it('pass through without growth, and every permit that they leave unspent goes back', async () => {
    const clock = fakeClock(START_MS);
    const store = memoryStore(clock);
    const limiter = createLimiter({ store, rules: rulesOf([DAY]), clock, sizing: fixedLeases(10), maxKeys: 5_000 });
    let bytes = 0;
    for (let at = 0; at < 60_000; at += 1) {
      const decision = limiter.check({ key_id: `key-${at}` });
      if (decision instanceof Promise) throw new Error('the store is at hand');
      if (at % 100 === 0) await new Promise(setImmediate);
      if (at === 10_000) bytes = limiter.stats().tableBytes;
      if (at > 10_000 && at % 10_000 === 0) expect(limiter.stats()).toMatchObject({ activeKeys: 5_000, tableBytes: bytes });
    }
    expect(bytes / 5_000).toBeLessThan(200);
    await limiter.close();
    const { granted, returned, lost } = limiter.stats();
    expect(granted - returned).toBe(60_000);
    expect(lost).toBe(0);
  }, 30_000);

  it('returns what is unspent of a forgotten key to the bucket that it came from', async () => {
    const { limiter, store } = node([DAY], { sizing: fixedLeases(10), maxKeys: 1 });
    await checks(limiter, 3, { key_id: 'a' });
    await checks(limiter, 1, { key_id: 'b' });
    await new Promise(setImmediate);
    expect(store.returns).toMatchObject([{ amount: 7, bucket: store.returns[0]?.bucket }]);
    expect((await limiter.peek({ key_id: 'a' })).deciding?.remaining).toBe(997);
    await limiter.close();
  });

  it('never forgets a counter of the request at hand, nor one that waits for the store', async () => {
    const rules = [DAY, { ...DAY, rule_id: 'tenant', policy: 'tenant', count_by: ['tenant_id'] }];
    const { limiter, store } = node(rules, { sizing: fixedLeases(10), maxKeys: 1 });
    const open = store.hold();
    const waiting = Array.from({ length: 50 }, (_, at) => limiter.check({ key_id: `k${at}`, tenant_id: 't' }));
    open();
    const decisions = await Promise.all(waiting);
    expect(decisions.every(({ allowed }) => allowed)).toBe(true);
    await limiter.close();
    const { granted, returned } = limiter.stats();
    expect(granted - returned).toBe(100);
  });

  it('a counter that is reset while its trip is in the air keeps nothing of it', async () => {
    const { limiter, store, clock } = node([DAY], { sizing: fixedLeases(10) });
    const open = store.hold();
    const waiting = limiter.check({ key_id: 'a' });
    await new Promise(setImmediate);
    await limiter.reset({ key_id: 'a' });
    expect(limiter.stats().activeKeys).toBe(0);
    open();
    expect((await waiting).allowed).toBe(true);
    // Nobody spends what came back for the lease of before.
    expect((await limiter.check({ key_id: 'a' })).deciding?.source).toBe('store');
    clock.advance(500);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await limiter.close();
    expect(limiter.stats().granted - limiter.stats().returned).toBe(2);
  });
});
