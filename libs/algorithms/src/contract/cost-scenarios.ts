import { NEVER } from '../outcome.js';
import { ALGORITHMS } from '../quota.js';
import { BUCKETS } from './algorithm-groups.js';
import type { Scenario } from './scenario.js';

/** Costs, denials and peeks. */
export const COST_SCENARIOS: readonly Scenario[] = [
  {
    title: 'R7 known failure 2: a denied cost leaves what remains to smaller ones',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 8, expect: { granted: 8, remaining: 2 } },
      { do: 'take', at: 0, need: 5, expect: { granted: 0, remaining: 2 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 1, retryMs: 0 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 0 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 0, remaining: 0 } },
    ],
  },
  {
    title: 'R9 known failure 3: a cost above the burst drains nothing',
    algorithms: BUCKETS,
    quota: { limit: 100, windowMs: 1000, burst: 300 },
    steps: [
      { do: 'take', at: 0, need: 301, expect: { granted: 0, remaining: 300, retryMs: NEVER, resetMs: 0 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 299, retryMs: 0, resetMs: 10 } },
    ],
  },
  {
    title: 'R9 known failure 4: a cost above the capacity never passes, and no wait is named',
    algorithms: ALGORITHMS,
    quota: { limit: 3, windowMs: 2000 },
    steps: [
      { do: 'take', at: 0, need: 4, expect: { granted: 0, remaining: 3, retryMs: NEVER } },
      { do: 'take', at: 0, need: 3, expect: { granted: 3, remaining: 0 } },
      { do: 'take', at: 0, need: 4, want: 9, expect: { granted: 0, remaining: 0, retryMs: NEVER } },
      { do: 'peek', at: 0, cost: 4, expect: { remaining: 0, retryMs: NEVER } },
    ],
  },
  {
    title: 'R61 known failure 6: as many as possible from a counter in debt is none, and adds none',
    algorithms: ALGORITHMS,
    quota: { limit: 50, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 50, expect: { granted: 50, remaining: 0 } },
      { do: 'take', at: 0, need: 1, want: 1000, change: { limit: 40 }, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 60 }, expect: { remaining: 10 } },
    ],
  },
  {
    title: 'R9 known failure 13: cost 0 reads, and writes nothing',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'peek', at: 0, cost: 0, expect: { remaining: 10, retryMs: 0, resetMs: 0, delayMs: 0 } },
      { do: 'take', at: 0, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, expect: { remaining: 0, retryMs: 0 } },
      { do: 'peek', at: 0, cost: 10, expect: { remaining: 0 } },
      { do: 'peek', at: 180_000, cost: 0, expect: { remaining: 10, retryMs: 0, resetMs: 0 } },
    ],
  },
  {
    title: 'R9 R21 a grant lies between what is needed and what is wanted',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 1, want: 4, expect: { granted: 4, remaining: 6, retryMs: 0 } },
      { do: 'take', at: 0, need: 7, want: 8, expect: { granted: 0, remaining: 6 } },
      { do: 'take', at: 0, need: 2, want: 100, expect: { granted: 6, remaining: 0 } },
      { do: 'take', at: 0, need: 1, want: 100, expect: { granted: 0, remaining: 0 } },
    ],
  },
  {
    title: 'R10 known failure 29: a thousand calls in one ms count as a thousand',
    algorithms: ALGORITHMS,
    quota: { limit: 1000, windowMs: 60_000 },
    steps: [
      { do: 'poll', at: 7, need: 1, count: 1001, everyMs: 0, granted: [1000, 1000] },
      { do: 'peek', at: 7, cost: 1, expect: { remaining: 0 } },
    ],
  },
  {
    title: 'R7 charging for denials is an option, and stops at twice the capacity',
    algorithms: ALGORITHMS,
    quota: { limit: 5, windowMs: 60_000, chargeDenied: true },
    steps: [
      { do: 'take', at: 0, need: 5, expect: { granted: 5, remaining: 0 } },
      { do: 'take', at: 0, need: 6, expect: { granted: 0, remaining: 0, retryMs: NEVER } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 10 }, expect: { remaining: 5 } },
      { do: 'take', at: 0, need: 3, change: { limit: 5 }, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 10 }, expect: { remaining: 2 } },
      { do: 'take', at: 0, need: 5, change: { limit: 5 }, expect: { granted: 0, remaining: 0 } },
      { do: 'take', at: 0, need: 5, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 15 }, expect: { remaining: 5 } },
      { do: 'take', at: 0, need: 1, change: { limit: 2 }, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 0, cost: 0, change: { limit: 15 }, expect: { remaining: 5 } },
    ],
  },
  {
    title: 'R2 a shaper admits as the meter does and says how long to hold back',
    algorithms: ['leaky_bucket'],
    quota: { limit: 10, windowMs: 1000, burst: 3, shape: true },
    steps: [
      { do: 'take', at: 0, need: 1, want: 50, expect: { granted: 1, remaining: 2, delayMs: 0 } },
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 1, delayMs: 100 } },
      { do: 'take', at: 30, need: 1, expect: { granted: 1, remaining: 0, delayMs: 170, retryMs: 70 } },
      { do: 'take', at: 30, need: 1, expect: { granted: 0, remaining: 0, delayMs: 0, retryMs: 70 } },
      { do: 'peek', at: 100, cost: 1, expect: { remaining: 1, delayMs: 200 } },
      { do: 'peek', at: 100, cost: 2, expect: { remaining: 1, delayMs: 0, retryMs: 100 } },
      { do: 'take', at: 60, need: 1, change: { burst: 4 }, expect: { granted: 1, delayMs: 240 } },
      { do: 'take', at: 10, need: 1, change: { burst: 5 }, expect: { granted: 1, delayMs: 390 } },
    ],
  },
];
