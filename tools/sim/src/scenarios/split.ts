import type { Scenario } from './scenario.js';

const quota = { limit: 10_000, window_seconds: 1 };

/** Counters that a rule splits over eight shards (R28). Trips are those to all masters together. */
export const SPLIT_SCENARIOS: readonly Scenario[] = [
  { name: 'split 8, 10000/s 50 nodes 90 %', quota, shards: 8, nodes: 50, load: 0.9, windows: 8, goals: { ofExact: 0.98, tooMuch: 0 } },
  { name: 'split 8, 10000/s 50 nodes 90 % skewed', quota, shards: 8, nodes: 50, load: 0.9, windows: 8, spread: 'skewed', goals: { ofExact: 0.98, tooMuch: 0 } },
  { name: 'split 8, 10000/s 50 nodes 150 %', quota, shards: 8, nodes: 50, load: 1.5, windows: 8, shortWindows: 5, goals: { ofDemand: 0.98, tripsPerRequest: 0.15, tooMuch: 0 } },
  { name: 'split 8, 10000/s 3 nodes 150 %', quota, shards: 8, nodes: 3, load: 1.5, windows: 8, goals: { ofDemand: 0.98, tripsPerRequest: 0.07, tooMuch: 0 } },
  { name: 'split 5, 100/s 50 nodes 20000 %', quota: { limit: 100, window_seconds: 1 }, shards: 5, nodes: 50, load: 200, windows: 8, goals: { ofDemand: 0.93, tripsPerRequest: 0.05, tooMuch: 0 } },
];
