import { createReplay } from './replay.js';

const KEYS = 500;

describe('R59 R30 memory follows the keys in use', () => {
  it.each([
    ['sliding_counter', {}],
    ['token_bucket', { burst: 40 }],
    ['fixed_window', { charge_denied: true }],
  ] as const)('%s: counters that are free again go, and nothing else', (algorithm, more) => {
    const replay = createReplay({ rules: { version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit: 10, window_seconds: 1, algorithm, ...more }] } });
    let most = 0;
    for (let at = 0; at < 40 * KEYS; at += 1) {
      replay.decide({ atMs: 1_000_000 + at * 5, attributes: { key_id: `k${at}` }, cost: 1 });
      most = Math.max(most, replay.counters);
    }
    // Two periods of twice four seconds at most (a burst of 40 drains in 4), and one a 5 ms.
    expect(most).toBeLessThanOrEqual(2 * (8_001 / 5) + 2);
    expect(replay.report().counters_forgotten).toBe(0);
  });

  it('debt of charged denials is kept until it is gone, however few the other keys are', () => {
    const replay = createReplay({ rules: { version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit: 10, window_seconds: 10, algorithm: 'gcra', burst: 10, charge_denied: true }] } });
    const isAllowed = (afterMs: number, key: string, cost = 1): boolean => replay.decide({ atMs: 1_000_000 + afterMs, attributes: { key_id: key }, cost }).allowed;
    // Generations turn at the first request after a period, at which nobody else is about.
    isAllowed(0, 'other');
    isAllowed(9_000, 'other');
    for (let at = 0; at < 100; at += 1) for (const key of ['deep in debt', 'as deep']) isAllowed(9_900, key);
    for (let afterMs = 10_100; afterMs < 25_000; afterMs += 1_000) isAllowed(afterMs, 'other');
    // 20 permits of debt, of which 15 are drained by then.
    expect(isAllowed(25_000, 'deep in debt', 10)).toBe(false);
    expect(isAllowed(25_000, 'as deep', 5)).toBe(true);
  });

  it('beyond the bound the older ones go, which is said', () => {
    const replay = createReplay({ rules: { version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit: 1, window_seconds: 3_600 }] }, mostCounters: 100 });
    for (let at = 0; at < 1_000; at += 1) replay.decide({ atMs: 1_000_000 + at, attributes: { key_id: `k${at}` }, cost: 1 });
    expect(replay.counters).toBeLessThanOrEqual(200);
    expect(replay.report().counters_forgotten).toBe(800);
  });
});
