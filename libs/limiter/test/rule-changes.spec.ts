import { ALGORITHMS } from '@sluice/algorithms';
import { fixedLeases } from '../src/index.js';
import { allowed, checks, node, rulesOf, START_MS } from './support/fixture.js';

const key = { key_id: 'k1' };

describe.each(ALGORITHMS)('R61 a rule changes under live counters, %s', (algorithm) => {
  const version = (number: number, limit: number) =>
    rulesOf([{ rule_id: 'r', version: number, limit, window_seconds: 60, algorithm }], { version: number });

  it('known failures 10 and 49: a raise gives exactly the difference, at once', async () => {
    const { limiter } = node(version(1, 10));
    expect(allowed(await checks(limiter, 50, key))).toBe(10);
    limiter.use(version(2, 20));
    expect(allowed(await checks(limiter, 50, key))).toBe(10);
    await limiter.close();
  });

  it('known failure 51: a lower limit takes effect at once, with nothing below zero; 30, 0 left, 150', async () => {
    const { limiter } = node(version(1, 30));
    await checks(limiter, 20, key);
    limiter.use(version(2, 5));
    const refused = await limiter.check(key);
    expect(refused).toMatchObject({ allowed: false, deciding: { limit: 5, remaining: 0 } });
    limiter.use(version(3, 150));
    expect(allowed(await checks(limiter, 200, key))).toBe(130);
    await limiter.close();
  });

  it('known failure 54: the same rules again change nothing', async () => {
    const { limiter, store } = node(version(1, 100));
    await checks(limiter, 7, key);
    const asked = store.asks.length;
    const before = (await limiter.limits(key))[0]?.remaining;
    for (let at = 0; at < 5; at += 1) limiter.use(version(1, 100));
    expect((await limiter.limits(key))[0]?.remaining).toBe(before);
    expect(store.asks).toHaveLength(asked);
    expect(allowed(await checks(limiter, 200, key))).toBe(93);
    await limiter.close();
  });
});

describe('R61 known failure 54: the same rules re-sent while a trip is in the air', () => {
  it('throw away nothing of what the store says', async () => {
    const rules = () => rulesOf([{ rule_id: 'r', limit: 100, window_seconds: 60 }]);
    const { limiter, store } = node(rules(), { sizing: fixedLeases(2) });
    const open = store.hold();
    const pending = limiter.check(key);
    await new Promise(setImmediate);
    limiter.use(rules());
    void limiter.check(key);
    open();
    expect((await pending).deciding?.remaining).toBeLessThan(100);
    await limiter.close();
    expect(store.returns).toEqual([]);
  });
});

describe('R61 another algorithm', () => {
  it('starts clean', async () => {
    const { limiter } = node(rulesOf([{ rule_id: 'r', limit: 10, window_seconds: 60 }]));
    expect(allowed(await checks(limiter, 20, key))).toBe(10);
    limiter.use(rulesOf([{ rule_id: 'r', limit: 10, window_seconds: 60, algorithm: 'gcra' }]));
    expect(allowed(await checks(limiter, 20, key))).toBe(10);
    await limiter.close();
  });
});

describe('R22 a rule that changes its consistency while a trip is in the air', () => {
  it('leaves nobody waiting', async () => {
    const version = (number: number, charge_denied: boolean) =>
      rulesOf([{ rule_id: 'r', version: number, limit: 100, window_seconds: 60, algorithm: 'token_bucket', charge_denied }], { version: number });
    for (const [before, after] of [[false, true], [true, false]] as const) {
      const { limiter, store } = node(version(1, before));
      const open = store.hold();
      const waiting = [limiter.check(key), limiter.check(key)];
      await new Promise(setImmediate);
      waiting.push(limiter.check(key));
      limiter.use(version(2, after));
      waiting.push(limiter.check(key), limiter.check(key));
      open();
      expect(allowed(await Promise.all(waiting))).toBe(5);
      expect(allowed(await checks(limiter, 100, key))).toBe(95);
      await limiter.close();
    }
  });
});

describe('R1 overrides', () => {
  it('raise one key until they expire, by time alone', async () => {
    const rules = rulesOf([{ rule_id: 'r', limit: 2, window_seconds: 1, algorithm: 'fixed_window' }], {
      overrides: [{ override_id: 'o1', rule_id: 'r', key_id: 'k1', limit: 7, expires_at: new Date(START_MS + 1000).toISOString() }],
    });
    const { limiter, clock } = node(rules);
    const first = await checks(limiter, 10, key);
    expect(allowed(first)).toBe(7);
    expect(first[0]?.deciding?.overrideId).toBe('o1');
    expect(allowed(await checks(limiter, 10, { key_id: 'k2' }))).toBe(2);
    clock.advance(1000);
    expect(allowed(await checks(limiter, 10, key))).toBe(2);
    await limiter.close();
  });
});

describe('R56 rules are swapped by one reference', () => {
  it('lets a request see all of the old or all of the new, over 1,000 swaps', async () => {
    const set = (version: number) =>
      rulesOf(['a', 'b', 'c'].map((policy) => ({ rule_id: policy, policy, version, limit: 1_000_000, window_seconds: 60 })), { version });
    const { limiter } = node(set(1));
    for (let version = 2; version <= 1001; version += 1) {
      const pending = limiter.check(key);
      limiter.use(set(version));
      const decisions = [await pending, await limiter.check(key)];
      for (const decision of decisions) {
        const versions = new Set([decision.snapshotVersion, ...decision.policies.map(({ ruleVersion }) => ruleVersion)]);
        expect(versions.size).toBe(1);
      }
    }
    await limiter.close();
  });
});
