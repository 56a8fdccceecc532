import { ALGORITHMS } from '../quota.js';
import { BUCKETS } from './algorithm-groups.js';
import type { Scenario } from './scenario.js';

/** Refunds and resets. */
export const REFUND_SCENARIOS: readonly Scenario[] = [
  {
    title: 'R9 known failure 7: a refund works with nothing left, and never lifts what remains above the limit',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'refund', at: 0, amount: 1, refunded: 1 },
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 0 } },
      { do: 'refund', at: 0, amount: 100, refunded: 10 },
      { do: 'peek', at: 0, cost: 10, expect: { remaining: 10, retryMs: 0, resetMs: 0 } },
      { do: 'refund', at: 0, amount: 5, refunded: 0 },
      { do: 'peek', at: 0, cost: 10, expect: { remaining: 10, retryMs: 0 } },
    ],
  },
  {
    title: 'R9 known failure 72: a refund that comes windows too late is dropped',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10 } },
      { do: 'take', at: 180_000, need: 4, expect: { granted: 4, remaining: 6 } },
      { do: 'take', at: 360_000, need: 11, expect: { granted: 0, remaining: 10 } },
      { do: 'refund', at: 360_000, amount: 4, refunded: 0 },
      { do: 'take', at: 360_000, need: 10, expect: { granted: 10, remaining: 0 } },
    ],
  },
  {
    title: 'R9 known failure 72: a refund goes to its own window, not to the one that has begun',
    algorithms: ['fixed_window'],
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'take', at: 999, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'refund', at: 1000, amount: 10, refunded: 0 },
      { do: 'take', at: 1000, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'refund', at: 1999, amount: 3, refunded: 3 },
      { do: 'peek', at: 1999, cost: 3, expect: { remaining: 3, retryMs: 0 } },
    ],
  },
  {
    title: 'R9 known failure 72: a late refund of an old charge leaves the new one alone',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 4, expect: { granted: 4 } },
      { do: 'take', at: 150_000, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'refund', at: 150_000, ofTake: 0, amount: 4, refunded: 0 },
      { do: 'take', at: 150_000, need: 1, expect: { granted: 0, remaining: 0 } },
      { do: 'refund', at: 150_000, ofTake: 1, amount: 4, refunded: 4 },
      { do: 'peek', at: 150_000, cost: 4, expect: { remaining: 4, retryMs: 0 } },
    ],
  },
  {
    title: 'R9 a refund to an older sub-bucket is taken off where it was counted, as long as it counts',
    algorithms: ['sliding_counter'],
    quota: { limit: 10, windowMs: 1000, subBuckets: 2 },
    steps: [
      { do: 'take', at: 499, need: 10, expect: { granted: 10, remaining: 0, bucketEndsInMs: 1 } },
      { do: 'refund', at: 1499, amount: 4, refunded: 4 },
      { do: 'peek', at: 1000, cost: 4, expect: { remaining: 4, retryMs: 0 } },
      { do: 'refund', at: 1500, amount: 6, refunded: 0 },
      { do: 'peek', at: 1500, cost: 10, expect: { remaining: 10, retryMs: 0, resetMs: 0 } },
    ],
  },
  {
    title: 'R9 a refund to the log takes back the entry of its ms, until it leaves the window',
    algorithms: ['sliding_log'],
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 4, expect: { granted: 4, remaining: 6 } },
      { do: 'take', at: 10, need: 6, expect: { granted: 6, remaining: 0, retryMs: 1000 } },
      { do: 'refund', at: 1009, amount: 2, refunded: 2 },
      { do: 'peek', at: 1009, cost: 10, expect: { remaining: 6, retryMs: 1, resetMs: 1 } },
      { do: 'refund', at: 1010, amount: 4, refunded: 0 },
    ],
  },
  {
    title: 'R9 a level drains in the order of the charges: what has drained of one is gone, the rest can go back',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 1000, burst: 20 },
    steps: [
      { do: 'take', at: 0, need: 8, expect: { granted: 8, remaining: 12 } },
      { do: 'take', at: 0, need: 4, expect: { granted: 4, remaining: 8 } },
      // 2.5 of the first 8 have drained: 5.5 go back, and leave the 4.
      { do: 'refund', at: 250, ofTake: 0, amount: 8, refunded: 6 },
      { do: 'peek', at: 250, cost: 20, expect: { remaining: 16, retryMs: 400, resetMs: 400 } },
      { do: 'refund', at: 900, ofTake: 0, amount: 8, refunded: 0 },
    ],
  },
  {
    title: 'R9 a refund 1 ms after the charge gives back all but what drained in it, to the fraction',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'refund', at: 1, amount: 1, refunded: 1 },
      { do: 'take', at: 1, need: 1, expect: { granted: 1, remaining: 0, resetMs: 999 } },
      { do: 'refund', at: 999, amount: 10, refunded: 1 },
      { do: 'peek', at: 999, cost: 10, expect: { remaining: 10, resetMs: 0 } },
      { do: 'take', at: 1000, need: 1, expect: { granted: 1, remaining: 9, resetMs: 100 } },
      { do: 'refund', at: 1001, amount: 1, refunded: 1 },
      { do: 'peek', at: 1001, cost: 10, expect: { remaining: 10, resetMs: 0 } },
    ],
  },
  {
    title: 'R9 a refund at once undoes the take, however many fractions of a ms a permit takes to drain',
    algorithms: ALGORITHMS,
    quota: { limit: 7, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 6 } },
      { do: 'refund', at: 0, amount: 1, refunded: 1 },
      { do: 'peek', at: 0, cost: 7, expect: { remaining: 7, retryMs: 0, resetMs: 0 } },
    ],
  },
  {
    title: 'R9 reset forgets one counter',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'reset', at: 0 },
      { do: 'peek', at: 0, cost: 10, expect: { remaining: 10, retryMs: 0, resetMs: 0 } },
      { do: 'refund', at: 0, amount: 5, refunded: 0 },
    ],
  },
];
