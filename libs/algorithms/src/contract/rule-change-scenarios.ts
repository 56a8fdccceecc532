import { ALGORITHMS } from '../quota.js';
import { BUCKETS } from './algorithm-groups.js';
import type { Scenario } from './scenario.js';

/** A changed limit on a live counter (R61). */
export const RULE_CHANGE_SCENARIOS: readonly Scenario[] = [
  {
    title: 'R61 known failure 10: after 50 calls of which 40 were denied, a raise from 10 to 20 lets exactly 10 more pass',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 3_600_000 },
    steps: [
      { do: 'poll', at: 0, need: 1, count: 50, everyMs: 0, granted: [10, 10] },
      { do: 'poll', at: 0, need: 1, count: 50, everyMs: 0, change: { limit: 20 }, granted: [10, 10] },
    ],
  },
  {
    title: 'R61 known failure 49: 10,000 used up, a raise to 15,000 leaves 5,000 at once',
    algorithms: ALGORITHMS,
    quota: { limit: 10_000, windowMs: 3_600_000 },
    steps: [
      { do: 'take', at: 0, need: 10_000, expect: { granted: 10_000, remaining: 0 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 0 } },
      { do: 'peek', at: 0, cost: 5000, change: { limit: 15_000 }, expect: { remaining: 5000, retryMs: 0 } },
      { do: 'take', at: 0, need: 5000, expect: { granted: 5000, remaining: 0 } },
    ],
  },
  {
    title: 'R61 known failure 50: a raised limit does not wait for the old arrival time',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 3_600_000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10, retryMs: 3_600_000 } },
      { do: 'take', at: 1000, need: 1, change: { limit: 100 }, expect: { granted: 1, remaining: 89, resetMs: 11 * 36_000 - 1000 } },
    ],
  },
  {
    title: 'R61 known failure 51: 30, then 1, then 150',
    algorithms: ALGORITHMS,
    quota: { limit: 30, windowMs: 3_600_000 },
    steps: [
      { do: 'take', at: 0, need: 30, expect: { granted: 30, remaining: 0 } },
      { do: 'take', at: 0, need: 1, change: { limit: 1 }, expect: { granted: 0, remaining: 0 } },
      { do: 'take', at: 0, need: 20, change: { limit: 150 }, expect: { granted: 20, remaining: 100 } },
    ],
  },
  {
    title: 'R61 lower takes effect at once, raising again gives back the difference, the same again changes nothing',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 3_600_000 },
    steps: [
      { do: 'take', at: 0, need: 6, expect: { granted: 6, remaining: 4 } },
      { do: 'peek', at: 0, cost: 4, change: { limit: 10 }, expect: { remaining: 4, retryMs: 0 } },
      { do: 'take', at: 0, need: 1, change: { limit: 4 }, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 2, change: { limit: 8 }, expect: { remaining: 2, retryMs: 0 } },
      { do: 'take', at: 0, need: 4, change: { limit: 10 }, expect: { granted: 4, remaining: 0 } },
    ],
  },
  {
    title: 'R61 a much lesser burst leaves a long backlog, which is no garbage: it drains by its rate, exactly',
    algorithms: BUCKETS,
    quota: { limit: 5, windowMs: 1000, burst: 1000 },
    steps: [
      { do: 'take', at: 0, need: 1000, expect: { granted: 1000, resetMs: 1000 * 200 } },
      { do: 'take', at: 0, need: 1, change: { burst: 5 }, expect: { granted: 0, retryMs: 996 * 200, resetMs: 1000 * 200 } },
      { do: 'take', at: 996 * 200 - 1, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 996 * 200, need: 1, expect: { granted: 1, remaining: 0 } },
      { do: 'take', at: 996 * 200, need: 1, expect: { granted: 0, retryMs: 200 } },
    ],
  },
  {
    title: 'R61 a much lower limit does not prolong what was used: it ends when it would have, exactly',
    algorithms: BUCKETS,
    quota: { limit: 1000, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 1000, expect: { granted: 1000, resetMs: 1000 } },
      { do: 'take', at: 0, need: 1, change: { limit: 5 }, expect: { granted: 0, remaining: 0, retryMs: 1000, resetMs: 1000 } },
      { do: 'take', at: 999, need: 5, expect: { granted: 0, remaining: 0, retryMs: 1, resetMs: 1 } },
      { do: 'take', at: 1000, need: 5, expect: { granted: 5, remaining: 0, retryMs: 1000, resetMs: 1000 } },
      { do: 'take', at: 1199, need: 1, expect: { granted: 0, retryMs: 1 } },
    ],
  },
  {
    title: 'R61 what drained by the new rate before that counts, too',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 6, expect: { granted: 6, resetMs: 600 } },
      { do: 'take', at: 0, need: 1, change: { limit: 5 }, expect: { granted: 0, retryMs: 400, resetMs: 600 } },
      { do: 'peek', at: 400, cost: 1, expect: { remaining: 1, retryMs: 0, resetMs: 200 } },
      { do: 'take', at: 400, need: 1, expect: { granted: 1, remaining: 0, retryMs: 200, resetMs: 1000 } },
    ],
  },
  {
    title: 'R61 who was idle until all was free is not refused by a lower limit, nor by the end of an override',
    algorithms: ALGORITHMS,
    quota: { limit: 6000, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 6000, expect: { granted: 6000, remaining: 0 } },
      { do: 'peek', at: 120_000, cost: 1, expect: { remaining: 6000, resetMs: 0 } },
      { do: 'peek', at: 120_000, cost: 1, change: { limit: 60 }, expect: { remaining: 60, retryMs: 0, resetMs: 0 } },
      { do: 'charge', at: 120_000, amount: 1, onlyIfAbsent: true, expect: { granted: 1, remaining: 59 } },
      { do: 'take', at: 120_000, need: 59, expect: { granted: 59, remaining: 0 } },
    ],
  },
  {
    title: 'R9 R61 a refund under a lower limit does not prolong what was used',
    algorithms: BUCKETS,
    quota: { limit: 100, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 100, expect: { granted: 100, resetMs: 1000 } },
      // Half a second is left of the charge, in which 2.5 permits drain by now.
      { do: 'refund', at: 500, amount: 50, change: { limit: 5 }, refunded: 3 },
      { do: 'take', at: 500, need: 1, expect: { granted: 0, retryMs: 500, resetMs: 500 } },
      { do: 'take', at: 999, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'refund', at: 1000, amount: 50, refunded: 0 },
      { do: 'take', at: 1000, need: 5, expect: { granted: 5, remaining: 0 } },
    ],
  },
  {
    title: 'R61 R70 a raise after a while: who waits as told is let in, not before',
    algorithms: BUCKETS,
    quota: { limit: 5, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 5, expect: { granted: 5 } },
      { do: 'take', at: 50, need: 7, change: { limit: 10 }, expect: { granted: 0, remaining: 5, retryMs: 150 } },
      { do: 'take', at: 199, need: 7, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 200, need: 7, expect: { granted: 7 } },
    ],
  },
];
