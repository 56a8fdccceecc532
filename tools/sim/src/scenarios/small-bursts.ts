import type { Goals, Scenario } from './scenario.js';

const HOUR = { limit: 36_000, window_seconds: 3600, burst: 100 } as const;
const MINUTE = { limit: 600, window_seconds: 60, burst: 10 } as const;
const SECOND = { limit: 10_000, window_seconds: 1, burst: 100 } as const;

const NEAR: Goals = { ofExact: 0.98 };
const OVER: Goals = { ofExact: 0.98, ofDemand: 0.97 };

/**
 * Levels with a burst that drains in a small part of the window: a node that stays away for a part of the window finds it full, and what would have
 * drained meanwhile is lost.
 */
export const SMALL_BURST_SCENARIOS: readonly Scenario[] = [
  ...[1, 3].flatMap((nodes): readonly Scenario[] => [
    { name: `token_bucket 36000/h burst 100 ${nodes} node${nodes === 1 ? '' : 's'} 90 %`, quota: { ...HOUR, algorithm: 'token_bucket' }, nodes, load: 0.9, windows: 3, goals: NEAR },
    { name: `token_bucket 36000/h burst 100 ${nodes} node${nodes === 1 ? '' : 's'} 150 %`, quota: { ...HOUR, algorithm: 'token_bucket' }, nodes, load: 1.5, windows: 3, shortWindows: 3, goals: OVER },
  ]),
  { name: 'gcra 36000/h burst 100 3 nodes 150 %', quota: { ...HOUR, algorithm: 'gcra' }, nodes: 3, load: 1.5, windows: 3, goals: OVER },
  ...[0.9, 1.5].flatMap((load): readonly Scenario[] => [
    { name: `token_bucket 600/min burst 10 3 nodes ${load * 100} %`, quota: { ...MINUTE, algorithm: 'token_bucket' }, nodes: 3, load, windows: 12, shortWindows: 6, goals: { ...NEAR, neverFalselyRefused: true } },
    { name: `leaky_bucket 10000/s burst 100 3 nodes ${load * 100} %`, quota: { ...SECOND, algorithm: 'leaky_bucket' }, nodes: 3, load, windows: 12, shortWindows: 6, goals: NEAR },
    { name: `leaky_bucket 10000/s burst 100 50 nodes ${load * 100} %`, quota: { ...SECOND, algorithm: 'leaky_bucket' }, nodes: 50, load, windows: 12, shortWindows: 6, goals: NEAR },
  ]),
];
