import type { Goals, Scenario } from './scenario.js';

const SECOND = { limit: 10_000, window_seconds: 1 };
const MINUTE = { limit: 100_000, window_seconds: 60 };

/** Nobody waits, and nobody is refused: for a node that gets more than its part of the allowances, hardly anybody. */
const FAR: Goals = { ofExact: 1, waited: 0.0005, tripsPerRequest: 0.25 };
const FAR_SKEWED: Goals = { ...FAR, waited: 0.02 };
/** Nodes lease. What passes too much is within the 5 % that they may have admitted and not reported. */
const NEAR: Goals = { ofExact: 0.98, tooMuch: 0.05, tripsPerRequest: 0.25 };

/** Rules that chose `approximate` (R29): nodes admit by themselves while far from the limit, and are asked near it. */
export const APPROXIMATE_SCENARIOS: readonly Scenario[] = [
  ...[0.5, 0.9, 1, 1.5].flatMap((load): readonly Scenario[] => [
    { name: `approximate 100000/60s 50 nodes ${load * 100} %`, quota: MINUTE, consistency: 'approximate', nodes: 50, load, windows: 5, goals: load < 1 ? FAR : NEAR },
    { name: `approximate 10000/s 50 nodes ${load * 100} %`, quota: SECOND, consistency: 'approximate', nodes: 50, load, windows: 12, shortWindows: 4, goals: load < 1 ? FAR : NEAR },
  ]),
  { name: 'approximate 10000/s 50 nodes 90 % skewed', quota: SECOND, consistency: 'approximate', nodes: 50, load: 0.9, windows: 12, spread: 'skewed', goals: FAR_SKEWED },
  { name: 'approximate 10000/s 50 nodes 150 % skewed', quota: SECOND, consistency: 'approximate', nodes: 50, load: 1.5, windows: 12, spread: 'skewed', goals: NEAR },
];
