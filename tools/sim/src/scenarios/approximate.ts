import type { Scenario } from './scenario.js';

const SECOND = { limit: 10_000, window_seconds: 1 };
const MINUTE = { limit: 100_000, window_seconds: 60 };

/** Rules that chose `approximate` (R29): nodes admit by themselves while far from the limit, and are asked near it. */
export const APPROXIMATE_SCENARIOS: readonly Scenario[] = [0.5, 0.9, 1, 1.5].flatMap((load): readonly Scenario[] => [
  { name: `approximate 100000/60s 50 nodes ${load * 100} %`, quota: MINUTE, consistency: 'approximate', nodes: 50, load, windows: 5, goals: {} },
  { name: `approximate 10000/s 50 nodes ${load * 100} %`, quota: SECOND, consistency: 'approximate', nodes: 50, load, windows: 12, goals: {} },
]);
