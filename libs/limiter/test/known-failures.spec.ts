import { createLimiter, memoryStore } from '../src/index.js';
import { fakeClock } from '@sluice/testkit';
import { allowed, checks, node, rulesOf, START_MS } from './support/fixture.js';

const key = { key_id: 'k1' };

describe('known failure 14: the local and the central path agree on the last permit', () => {
  it.each([10, 49, 50, 100, 1000])('limit %i: one node admits exactly as many, leased or not', async (limit) => {
    for (const consistency of ['leased', 'exact'] as const) {
      const { limiter, clock } = node([{ rule_id: 'r', limit, window_seconds: 3600, algorithm: 'fixed_window', consistency }]);
      let admitted = 0;
      for (let request = 0; request < limit + 20; request += 1) {
        if ((await limiter.check(key)).allowed) admitted += 1;
        if (request % 7 === 0) clock.advance(1);
      }
      expect(admitted).toBe(limit);
      await limiter.close();
    }
  });
});

describe('known failure 43: long windows hold', () => {
  it.each([30, 365])('two a window of %i days: two of six, and not one more before it ends', async (days) => {
    const { limiter, clock } = node([{ rule_id: 'r', limit: 2, window_seconds: days * 86_400, algorithm: 'sliding_log' }]);
    expect(allowed(await checks(limiter, 6, key))).toBe(2);
    clock.advance(days * 86_400_000 - 1);
    expect(allowed(await checks(limiter, 6, key))).toBe(0);
    clock.advance(1);
    expect(allowed(await checks(limiter, 6, key))).toBe(2);
    await limiter.close();
  });
});

describe('known failure 52: what is stored is what was used', () => {
  it('so a limit that goes down and up again gives back exactly what it was', async () => {
    const version = (limit: number) => rulesOf([{ rule_id: 'r', limit, window_seconds: 3600 }], { version: limit });
    const { limiter } = node(version(40));
    await checks(limiter, 25, key);
    for (const [limit, left] of [[10, 0], [40, 15], [30, 5], [40, 15]] as const) {
      limiter.use(version(limit));
      expect((await limiter.limits(key))[0]?.remaining).toBe(left);
    }
    await limiter.close();
  });
});

describe('known failure 60: a rule for two routes counts them together', () => {
  it('three a minute over both, not each', async () => {
    const { limiter } = node([{ rule_id: 'r', endpoint: '/v1/*', limit: 3, window_seconds: 60 }]);
    const decisions = [];
    for (const endpoint of ['GET /v1/a', 'GET /v1/b', 'GET /v1/a', 'GET /v1/b', 'GET /v1/a', 'GET /v1/b']) {
      decisions.push(await limiter.check({ ...key, endpoint }));
    }
    expect(allowed(decisions)).toBe(3);
    await limiter.close();
  });
});

describe('known failure 68: nothing of a key stays when it is over', () => {
  it('a flood of keys leaves a bounded table, and the memory store forgets what is free again', async () => {
    const clock = fakeClock(START_MS);
    const store = memoryStore(clock);
    const limiter = createLimiter({ store, rules: rulesOf([{ rule_id: 'r', limit: 5, window_seconds: 1 }]), clock, maxKeys: 5_000 });
    for (let at = 0; at < 100_000; at += 1) {
      await limiter.check({ key_id: `key-${at}` });
      if (at % 20 === 0) clock.advance(1);
    }
    expect(limiter.stats().activeKeys).toBeLessThanOrEqual(5_000);
    // 20 keys a ms, free again after at most 2 s: 40,000 are alive. The sweep looks at two for each write, so it keeps up.
    expect(store.size).toBeLessThan(85_000);
    clock.advance(10_000);
    // Every write forgets two; a denied request writes nothing, so each of these comes in a window of its own.
    for (let at = 0; at < 50_000; at += 1) {
      clock.advance(2_000);
      await limiter.check(key);
    }
    expect(store.size).toBeLessThanOrEqual(2);
    // The node's own table forgets with its timer, which is real: a generation a minute by the node's clock, some keys each tick.
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(limiter.stats().activeKeys).toBe(0);
    await limiter.close();
  }, 30_000);
});
