import type { Goals, Scenario } from './scenario.js';

const MINUTE = { limit: 1000, window_seconds: 60 };
const HUNDRED = { limit: 100, window_seconds: 1 };
const BUSY = { limit: 10_000, window_seconds: 1 };
const TEN = { limit: 10, window_seconds: 1 };

/** Near the limit: the 2 % that a fleet may cost (R24). */
const NEAR: Goals = { ofExact: 0.98, rollPeak: 3 };
/** Too much is asked for, by nodes that see many requests each (R25). */
const OVER: Goals = { ofDemand: 0.97, tripsPerRequest: 0.07, rollPeak: 3 };
/** So much too much that nearly every request is refused (R25). */
const FLOOD: Goals = { ofDemand: 0.97, tripsPerRequest: 0.05, rollPeak: 3 };
/** The other setting of R25: more trips, more of the limit. */
const FINE: Goals = { ofDemand: 0.99, tripsPerRequest: 0.15, rollPeak: 3 };
/** Too much, but spread so thin that a node sees a request now and then: R25 is out of reach there (README), what is admitted is not. */
const THIN: Goals = { ofDemand: 0.97, rollPeak: 3 };

const FINE_THRIFT = 0.4;

/** Limits, loads and fleets for which the requirements name figures; all with the default algorithm. */
export const ISSUE_SCENARIOS: readonly Scenario[] = [
  { name: '1000/60s 50 nodes 90 %', quota: MINUTE, nodes: 50, load: 0.9, windows: 22, shortWindows: 6, goals: NEAR },
  { name: '1000/60s 50 nodes 100 %', quota: MINUTE, nodes: 50, load: 1, windows: 22, shortWindows: 6, goals: NEAR },
  { name: '1000/60s 50 nodes 105 %', quota: MINUTE, nodes: 50, load: 1.05, windows: 22, shortWindows: 6, goals: NEAR },
  { name: '1000/60s 50 nodes 300 %', quota: MINUTE, nodes: 50, load: 3, windows: 12, shortWindows: 4, goals: THIN },
  { name: '1000/60s 50 nodes 6000 %', quota: MINUTE, nodes: 50, load: 60, windows: 5, shortWindows: 3, goals: FLOOD },
  { name: '100/s 50 nodes 105 %', quota: HUNDRED, nodes: 50, load: 1.05, windows: 120, shortWindows: 60, goals: NEAR },
  { name: '100/s 50 nodes 150 %', quota: HUNDRED, nodes: 50, load: 1.5, windows: 120, shortWindows: 60, goals: THIN },
  { name: '100/s 50 nodes 20000 %', quota: HUNDRED, nodes: 50, load: 200, windows: 12, shortWindows: 6, goals: FLOOD },
  { name: '10000/s 3 nodes 90 %', quota: BUSY, nodes: 3, load: 0.9, windows: 22, shortWindows: 8, goals: NEAR },
  { name: '10000/s 3 nodes 100 %', quota: BUSY, nodes: 3, load: 1, windows: 22, shortWindows: 8, goals: NEAR },
  { name: '10000/s 3 nodes 150 %', quota: BUSY, nodes: 3, load: 1.5, windows: 22, shortWindows: 8, goals: OVER },
  { name: '10000/s 50 nodes 90 %', quota: BUSY, nodes: 50, load: 0.9, windows: 22, shortWindows: 8, goals: NEAR },
  { name: '10000/s 50 nodes 100 %', quota: BUSY, nodes: 50, load: 1, windows: 22, shortWindows: 8, goals: NEAR },
  { name: '10000/s 50 nodes 150 %', quota: BUSY, nodes: 50, load: 1.5, windows: 22, shortWindows: 8, goals: OVER },
  { name: '10000/s 50 nodes 150 % fine', quota: BUSY, nodes: 50, load: 1.5, windows: 22, shortWindows: 8, thrift: FINE_THRIFT, goals: FINE },
  { name: '10000/s 3 nodes 90 % skewed', quota: BUSY, nodes: 3, load: 0.9, windows: 22, spread: 'skewed', goals: NEAR },
  { name: '10000/s 3 nodes 150 % skewed', quota: BUSY, nodes: 3, load: 1.5, windows: 22, spread: 'skewed', goals: OVER },
  { name: '10000/s 50 nodes 90 % skewed', quota: BUSY, nodes: 50, load: 0.9, windows: 22, spread: 'skewed', goals: NEAR },
  { name: '10000/s 50 nodes 100 % skewed', quota: BUSY, nodes: 50, load: 1, windows: 22, spread: 'skewed', goals: NEAR },
  { name: '10000/s 50 nodes 150 % skewed', quota: BUSY, nodes: 50, load: 1.5, windows: 22, shortWindows: 8, spread: 'skewed', goals: OVER },
  { name: '10000/s 50 nodes 150 % skewed fine', quota: BUSY, nodes: 50, load: 1.5, windows: 22, spread: 'skewed', thrift: FINE_THRIFT, goals: FINE },
  { name: '10/s 3 nodes 90 %', quota: TEN, nodes: 3, load: 0.9, windows: 600, shortWindows: 300, goals: { ...NEAR, neverFalselyRefused: true } },
  { name: '10/s 3 nodes 150 %', quota: TEN, nodes: 3, load: 1.5, windows: 600, goals: { ofExact: 0.98, neverFalselyRefused: true } },
];
