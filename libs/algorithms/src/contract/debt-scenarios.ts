import { ALGORITHMS, type AlgorithmName } from '../quota.js';
import { BUCKETS } from './algorithm-groups.js';
import type { Scenario } from './scenario.js';

const WINDOWS: readonly AlgorithmName[] = ['fixed_window', 'sliding_log', 'sliding_counter'];

/** Charges beyond the limit, and how what comes later pays them off. */
export const DEBT_SCENARIOS: readonly Scenario[] = [
  {
    title: 'R14 a charge takes what is left and more, and nothing is ever negative',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'charge', at: 0, amount: 3, expect: { granted: 3, remaining: 7, retryMs: 0, delayMs: 0 } },
      { do: 'take', at: 0, need: 5, expect: { granted: 5, remaining: 2 } },
      { do: 'charge', at: 0, amount: 6, expect: { granted: 6, remaining: 0 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 16 }, expect: { remaining: 2 } },
      { do: 'peek', at: 300_000, cost: 16, expect: { remaining: 16, retryMs: 0, resetMs: 0 } },
    ],
  },
  {
    title: 'R14 known failure 6: as many as possible from a counter in debt is none, and adds none',
    algorithms: ALGORITHMS,
    quota: { limit: 50, windowMs: 60_000 },
    steps: [
      { do: 'charge', at: 0, amount: 60, expect: { granted: 60, remaining: 0 } },
      { do: 'take', at: 0, need: 1, want: 1000, expect: { granted: 0, remaining: 0 } },
      { do: 'take', at: 0, need: 50, want: 1000, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 70 }, expect: { remaining: 10 } },
    ],
  },
  {
    title: 'R14 debt drains at the pace of the limit, exactly',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'charge', at: 0, amount: 5, expect: { granted: 5, remaining: 0, retryMs: 600, resetMs: 1500 } },
      { do: 'take', at: 599, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 600, need: 1, expect: { granted: 1, remaining: 0, resetMs: 1000 } },
      { do: 'peek', at: 1600, cost: 10, expect: { remaining: 10, resetMs: 0 } },
    ],
  },
  {
    title: 'R14 debt of a window ends with it',
    algorithms: ['fixed_window'],
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'charge', at: 100, amount: 25, expect: { granted: 25, remaining: 0, retryMs: 900, resetMs: 900, bucketEndsInMs: 900 } },
      { do: 'take', at: 999, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 1000, need: 10, expect: { granted: 10, remaining: 0 } },
    ],
  },
  {
    title: 'R14 debt leaves the log one window after it was charged',
    algorithms: ['sliding_log'],
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 4, expect: { granted: 4 } },
      { do: 'charge', at: 100, amount: 15, expect: { granted: 15, remaining: 0, retryMs: 1000, resetMs: 1000 } },
      { do: 'take', at: 1099, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 1100, need: 10, expect: { granted: 10, remaining: 0 } },
    ],
  },
  {
    title: 'R14 debt decays as its sub-bucket leaves the window',
    algorithms: ['sliding_counter'],
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'charge', at: 0, amount: 20, expect: { granted: 20, remaining: 0, retryMs: 1550, resetMs: 2000 } },
      { do: 'take', at: 1549, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 1550, need: 1, expect: { granted: 1, remaining: 0 } },
      { do: 'peek', at: 2000, cost: 9, expect: { remaining: 9, retryMs: 0 } },
    ],
  },
  {
    title: 'R12 R14 what drains is charged up to twice its capacity, and says how much that was',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 1000, burst: 20 },
    steps: [
      { do: 'take', at: 0, need: 20, expect: { granted: 20 } },
      { do: 'charge', at: 0, amount: 1000, expect: { granted: 20, remaining: 0, resetMs: 4000 } },
      { do: 'charge', at: 0, amount: 1, expect: { granted: 0, remaining: 0, resetMs: 4000 } },
      { do: 'charge', at: 100, amount: 5, expect: { granted: 1, remaining: 0, resetMs: 4000 } },
      // Lowered since, the use is above twice the capacity: it is not touched, and ends when it would have.
      { do: 'charge', at: 100, amount: 5, change: { limit: 5, burst: 5 }, expect: { granted: 0, remaining: 0, resetMs: 4000 } },
    ],
  },
  {
    title: 'R10 R14 windows count debt up to 2^53-1',
    algorithms: WINDOWS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 7, expect: { granted: 7 } },
      { do: 'charge', at: 0, amount: Number.MAX_SAFE_INTEGER, expect: { granted: Number.MAX_SAFE_INTEGER - 7, remaining: 0 } },
      { do: 'charge', at: 0, amount: 1, expect: { granted: 0, remaining: 0 } },
      { do: 'refund', at: 0, amount: Number.MAX_SAFE_INTEGER, refunded: Number.MAX_SAFE_INTEGER },
      { do: 'peek', at: 0, cost: 10, expect: { remaining: 10, resetMs: 0 } },
    ],
  },
  {
    title: 'R10 R14 the greatest counters take the greatest charge',
    algorithms: ALGORITHMS,
    quota: { limit: Number.MAX_SAFE_INTEGER, windowMs: 60_000 },
    steps: [
      { do: 'charge', at: 0, amount: Number.MAX_SAFE_INTEGER, expect: { granted: Number.MAX_SAFE_INTEGER, remaining: 0 } },
      { do: 'charge', at: 0, amount: Number.MAX_SAFE_INTEGER, expect: { granted: 0, remaining: 0 } },
    ],
  },
  {
    title: 'R9 R14 a charge can be given back as a grant can',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10 } },
      { do: 'charge', at: 0, amount: 5, expect: { granted: 5 } },
      { do: 'refund', at: 0, amount: 3, refunded: 3 },
      { do: 'take', at: 0, need: 1, expect: { granted: 0, remaining: 0 } },
      { do: 'refund', at: 0, ofTake: 0, amount: 10, refunded: 10 },
      { do: 'peek', at: 0, cost: 8, expect: { remaining: 8, retryMs: 0 } },
    ],
  },
  {
    title: 'R14 a charge of 0 reads',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'charge', at: 0, amount: 0, expect: { granted: 0, remaining: 10, retryMs: 0, resetMs: 0 } },
      { do: 'take', at: 0, need: 10, expect: { granted: 10 } },
      { do: 'charge', at: 0, amount: 0, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 300_000, cost: 10, expect: { remaining: 10, resetMs: 0 } },
    ],
  },
  {
    title: 'R28 a counter is started with a use once: whoever comes later charges nothing',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'charge', at: 0, amount: 4, onlyIfAbsent: true, expect: { granted: 4, remaining: 6 } },
      { do: 'charge', at: 0, amount: 4, onlyIfAbsent: true, expect: { granted: 0, remaining: 6 } },
      { do: 'take', at: 0, need: 6, expect: { granted: 6, remaining: 0 } },
      { do: 'charge', at: 0, amount: 1, onlyIfAbsent: true, expect: { granted: 0, remaining: 0 } },
      // Wholly free again is as good as absent, whether or not something of it is still kept.
      { do: 'charge', at: 180_000, amount: 12, onlyIfAbsent: true, expect: { granted: 12, remaining: 0 } },
    ],
  },
];
