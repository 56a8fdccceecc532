import fc from 'fast-check';
import { adaptiveLeases, createLimiter, fixedLeases, memoryStore } from '../src/index.js';
import { fakeClock } from '@sluice/testkit';
import { allowed, checks, node, rulesOf, START_MS } from './support/fixture.js';
import { Remote } from './support/remote.js';

const key = { key_id: 'k1' };

describe('R20 permits are leased', () => {
  it('serves 2,000 requests in chunks of 50 with 40 asks', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100_000, window_seconds: 60 }], { sizing: fixedLeases(50) });
    const decisions = await checks(limiter, 2000, key);
    expect(allowed(decisions)).toBe(2000);
    expect(store.asks).toHaveLength(40);
    expect(store.trips).toBe(40);
    await limiter.close();
  });

  it('answers without a promise from a lease, and with one when a trip is due', async () => {
    const { limiter } = node([{ rule_id: 'r', limit: 1000, window_seconds: 60 }], { sizing: fixedLeases(10) });
    const first = limiter.check(key);
    expect(first).toBeInstanceOf(Promise);
    expect((await first).deciding?.source).toBe('store');
    const second = limiter.check(key);
    expect(second).not.toBeInstanceOf(Promise);
    expect((await second).deciding?.source).toBe('local');
    await limiter.close();
  });

  it('asks for more as the key gets busier, and no more than the rule allows', async () => {
    const rules = [{ rule_id: 'r', limit: 100_000, window_seconds: 10, max_lease: 40 }];
    const { limiter, store, clock } = node(rules, { sizing: adaptiveLeases(() => 0.5) });
    for (let at = 0; at < 4000; at += 1) {
      await limiter.check(key);
      if (at % 4 === 0) clock.advance(1);
    }
    const wants = store.asks.map(({ want }) => want);
    expect(wants[0]).toBeLessThanOrEqual(2);
    expect(Math.max(...wants)).toBe(40);
    await limiter.close();
  });
});

describe('R21 one trip decides', () => {
  it('grants what is left when less than wanted is left, without asking again', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 7, window_seconds: 60 }], { sizing: fixedLeases(50) });
    const decisions = await checks(limiter, 20, key);
    expect(allowed(decisions)).toBe(7);
    expect(store.asks.map(({ want }) => want)).toEqual([50]);
    await limiter.close();
  });

  it('never makes more asks than requests, whatever arrives together', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.record({ together: fc.integer({ min: 1, max: 12 }), cost: fc.integer({ min: 1, max: 3 }), pauseMs: fc.integer({ min: 0, max: 400 }) }), { maxLength: 30 }),
        async (limit, bursts) => {
          const { limiter, store, clock } = node([{ rule_id: 'r', limit, window_seconds: 1 }]);
          let requests = 0;
          for (const { together, cost, pauseMs } of bursts) {
            requests += together;
            await Promise.all(Array.from({ length: together }, () => limiter.check(key, cost)));
            clock.advance(pauseMs);
          }
          expect(store.asks.length).toBeLessThanOrEqual(requests);
          await limiter.close();
        },
      ),
      { seed: 21, numRuns: 200 },
    );
  });
});

describe('R22 trips are shared', () => {
  it('lets concurrent requests of one key share one ask', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100, window_seconds: 60 }]);
    const decisions = await Promise.all(Array.from({ length: 30 }, () => limiter.check(key)));
    expect(allowed(decisions)).toBe(30);
    expect(store.asks).toHaveLength(1);
    await limiter.close();
  });

  it('collects whoever comes while a trip is in the air into the next one', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100, window_seconds: 60 }], { sizing: fixedLeases(1) });
    const open = store.hold();
    const first = limiter.check(key);
    await new Promise(setImmediate);
    const later = Array.from({ length: 9 }, () => limiter.check(key));
    await new Promise(setImmediate);
    expect(store.asks).toHaveLength(1);
    open();
    expect(allowed(await Promise.all([first, ...later]))).toBe(10);
    expect(store.asks.map(({ need, want }) => [need, want])).toEqual([[1, 1], [1, 9]]);
    await limiter.close();
  });

  it('sends the asks of different keys of one tick in one trip', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100, window_seconds: 60 }]);
    await Promise.all(Array.from({ length: 25 }, (_, at) => limiter.check({ key_id: `k${at}` })));
    expect(store.trips).toBe(1);
    expect(store.asks).toHaveLength(25);
    await limiter.close();
  });
});

describe('R23 unspent permits go back', () => {
  it('returns a lease when its key falls idle, and on shutdown', async () => {
    const clock = fakeClock(START_MS);
    const memory = memoryStore(clock);
    const limiter = createLimiter({ store: memory, rules: rulesOf([{ rule_id: 'r', limit: 100, window_seconds: 60 }]), clock, sizing: fixedLeases(50) });
    const other = createLimiter({ store: memory, rules: rulesOf([{ rule_id: 'r', limit: 100, window_seconds: 60 }]), clock });
    await limiter.check(key);
    expect((await other.peek(key)).deciding?.remaining).toBe(50);
    clock.advance(250);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect((await other.peek(key)).deciding?.remaining).toBe(99);
    await limiter.check(key);
    await limiter.close();
    expect((await other.peek(key)).deciding?.remaining).toBe(98);
    await other.close();
  });

  it('gives what is over of a lease with the next ask, and never spends it in another bucket', async () => {
    const { limiter, store, clock } = node([{ rule_id: 'r', limit: 10, window_seconds: 1, algorithm: 'fixed_window' }], { sizing: fixedLeases(10) });
    await checks(limiter, 3, key);
    clock.advance(1000);
    expect(allowed(await checks(limiter, 12, key))).toBe(10);
    expect(store.asks[1]).toMatchObject({ backAmount: 7, backBucket: START_MS });
    await limiter.close();
  });

  it('admits in no window more than the limit, over several nodes that come and go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.record({ node: fc.integer({ min: 0, max: 3 }), requests: fc.integer({ min: 1, max: 15 }), pauseMs: fc.integer({ min: 0, max: 300 }) }), { minLength: 5, maxLength: 60 }),
        async (limit, traffic) => {
          const clock = fakeClock(START_MS);
          const store = new Remote(memoryStore(clock));
          const rules = rulesOf([{ rule_id: 'r', limit, window_seconds: 1, algorithm: 'fixed_window' }]);
          const nodes = Array.from({ length: 4 }, () => createLimiter({ store, rules, clock }));
          const admitted = new Map<number, number>();
          for (const { node: at, requests, pauseMs } of traffic) {
            const decisions = await Promise.all(Array.from({ length: requests }, () => nodes[at]!.check(key)));
            const window = Math.floor(clock.nowMs() / 1000);
            admitted.set(window, (admitted.get(window) ?? 0) + allowed(decisions));
            clock.advance(pauseMs);
          }
          await Promise.all(nodes.map((each) => each.close()));
          expect(Math.max(...admitted.values())).toBeLessThanOrEqual(limit);
        },
      ),
      { seed: 23, numRuns: 150 },
    );
  });
});

describe('R30 the node remembers a bounded number of keys', () => {
  it('forgets the least recently used, whose permits go back first', async () => {
    const { limiter, store } = node([{ rule_id: 'r', limit: 100, window_seconds: 60 }], { sizing: fixedLeases(10), maxKeys: 100 });
    for (let at = 0; at < 1000; at += 1) await limiter.check({ key_id: `k${at}` });
    expect(limiter.stats().activeKeys).toBeLessThanOrEqual(100);
    await new Promise(setImmediate);
    expect(store.returns.length).toBeGreaterThanOrEqual(900);
    expect(store.returns[0]).toMatchObject({ amount: 9 });
    await limiter.close();
  });

  it('R11 counts the keys beyond a rule’s cardinality together, so that nobody is unlimited (known failure 33)', async () => {
    const { limiter } = node([{ rule_id: 'r', limit: 3, window_seconds: 60 }], { maxKeysPerRule: 10 });
    for (let at = 0; at < 10; at += 1) await limiter.check({ key_id: `k${at}` });
    const flood = await Promise.all(Array.from({ length: 50 }, (_, at) => limiter.check({ key_id: `flood${at}` })));
    expect(allowed(flood)).toBe(3);
    expect(limiter.stats().overflowed).toBeGreaterThan(0);
    expect(allowed(await checks(limiter, 2, { key_id: 'k1' }))).toBe(2);
    await limiter.close();
  });

  it('R11 and by themselves again when the keys of before are not used any more', async () => {
    const { limiter, clock } = node([{ rule_id: 'r', limit: 3, window_seconds: 1 }], { maxKeysPerRule: 10 });
    for (let at = 0; at < 50; at += 1) await limiter.check({ key_id: `old${at}` });
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    expect(limiter.stats().activeKeys).toBe(0);
    const fresh = await Promise.all(Array.from({ length: 9 }, (_, at) => limiter.check({ key_id: `new${at}` })));
    expect(allowed(fresh)).toBe(9);
    await limiter.close();
  });
});
