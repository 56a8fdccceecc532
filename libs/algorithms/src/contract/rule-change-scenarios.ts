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
    title: 'R61 a much lower limit makes a long backlog, which is no garbage: it drains by the new rate, exactly',
    algorithms: BUCKETS,
    quota: { limit: 1000, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 1000, expect: { granted: 1000, resetMs: 1000 } },
      { do: 'take', at: 0, need: 1, change: { limit: 5 }, expect: { granted: 0, retryMs: 996 * 200, resetMs: 1000 * 200 } },
      { do: 'take', at: 996 * 200 - 1, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 996 * 200, need: 1, expect: { granted: 1, remaining: 0 } },
      { do: 'take', at: 996 * 200, need: 1, expect: { granted: 0, retryMs: 200 } },
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
