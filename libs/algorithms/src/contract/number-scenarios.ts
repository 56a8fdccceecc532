import { ALGORITHMS } from '../quota.js';
import { BUCKETS, PROMPT } from './algorithm-groups.js';
import type { Scenario } from './scenario.js';

const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;
const MAX = Number.MAX_SAFE_INTEGER;

/** Great and small numbers, waits that are exact, pollers, and clocks that step back. */
export const NUMBER_SCENARIOS: readonly Scenario[] = [
  {
    title: 'R10 known failure 20: limit 1 a second, 200 calls a second apart all pass',
    algorithms: PROMPT,
    quota: { limit: 1, windowMs: 1000 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 200, everyMs: 1000, granted: [200, 200] }],
  },
  {
    title: 'R2 the plain estimate keeps the last permit of a limit for up to two windows',
    algorithms: ['sliding_counter'],
    quota: { limit: 1, windowMs: 1000 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 200, everyMs: 1000, granted: [100, 100] }],
  },
  {
    title: 'R10 known failure 37: idle for ten years, then the full allowance',
    algorithms: ALGORITHMS,
    quota: { limit: 1_000_000_000, windowMs: DAY_MS },
    steps: [
      { do: 'take', at: 0, need: 1_000_000_000, expect: { granted: 1_000_000_000, remaining: 0 } },
      { do: 'peek', at: 3653 * DAY_MS, cost: 0, expect: { remaining: 1_000_000_000, resetMs: 0 } },
      { do: 'take', at: 3653 * DAY_MS, need: 1_000_000_000, expect: { granted: 1_000_000_000, remaining: 0 } },
    ],
  },
  {
    title: 'R10 1e9 a day drains by its true rate, not by a rounded one',
    algorithms: BUCKETS,
    quota: { limit: 1_000_000_000, windowMs: DAY_MS },
    steps: [
      { do: 'take', at: 0, need: 1_000_000_000, expect: { granted: 1_000_000_000, remaining: 0, retryMs: DAY_MS, resetMs: DAY_MS } },
      { do: 'take', at: 1, need: 11, expect: { granted: 11, remaining: 0, retryMs: 1 } },
      { do: 'peek', at: 108, cost: 1, expect: { remaining: 1239, resetMs: DAY_MS - 107 } },
    ],
  },
  {
    title: 'R10 known failure 38: the wait is exact to the ms',
    algorithms: BUCKETS,
    quota: { limit: 1, windowMs: 1000 },
    steps: [
      { do: 'take', at: 0, need: 1, expect: { granted: 1, retryMs: 1000 } },
      { do: 'take', at: 200, need: 1, expect: { granted: 0, retryMs: 800 } },
      { do: 'take', at: 999, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 1000, need: 1, expect: { granted: 1, retryMs: 1000 } },
    ],
  },
  {
    title: 'R10 known failure 38: 6 a minute open one by one',
    algorithms: BUCKETS,
    quota: { limit: 6, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 6, expect: { granted: 6, retryMs: 60_000 } },
      { do: 'take', at: 5000, need: 1, expect: { granted: 0, retryMs: 5000 } },
      { do: 'take', at: 9999, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 10_000, need: 1, expect: { granted: 1, retryMs: 10_000 } },
    ],
  },
  {
    title: 'R10 known failure 40: a poller faster than one permit loses nothing',
    algorithms: PROMPT,
    quota: { limit: 1, windowMs: 1000 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 6000, everyMs: 10, granted: [59, 61] }],
  },
  {
    title: 'R10 known failure 41: a leaky bucket leaks under steady hits',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 30_000 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 301, everyMs: 1000, granted: [109, 110] }],
  },
  {
    title: 'R10 known failure 41: 3 a second, polled each 100 ms, never refill at once',
    algorithms: BUCKETS,
    quota: { limit: 3, windowMs: 1000 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 301, everyMs: 100, granted: [92, 93] }],
  },
  {
    title: 'R10 known failure 45: nothing of a window is left after two and a half idle ones',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 0, need: 10, expect: { granted: 10 } },
      { do: 'take', at: 150_000, need: 10, expect: { granted: 10, remaining: 0 } },
    ],
  },
  {
    title: 'R7 known failure 11: a client that is always too fast still gets its limit a window',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 600_000 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 120, everyMs: 30_000, granted: [55, 70] }],
  },
  {
    title: 'R10 known failure 64: no hidden block after the window',
    algorithms: ['fixed_window', 'sliding_log'],
    quota: { limit: 10, windowMs: 10_000 },
    steps: [
      { do: 'poll', at: 0, need: 1, count: 10, everyMs: 1000, granted: [10, 10] },
      { do: 'take', at: 9500, need: 1, expect: { granted: 0, retryMs: 500 } },
      { do: 'take', at: 9999, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 10_000, need: 1, expect: { granted: 1 } },
    ],
  },
  {
    title: 'R10 limit 1 a year is one a year',
    algorithms: PROMPT,
    quota: { limit: 1, windowMs: YEAR_MS },
    steps: [
      { do: 'take', at: 0, need: 1, expect: { granted: 1, remaining: 0, retryMs: YEAR_MS, resetMs: YEAR_MS } },
      { do: 'take', at: YEAR_MS - 1, need: 1, expect: { granted: 0, retryMs: 1, resetMs: 1 } },
      { do: 'take', at: YEAR_MS, need: 1, expect: { granted: 1, remaining: 0 } },
    ],
  },
  {
    title: 'R10 a window of 100 ms',
    algorithms: PROMPT,
    quota: { limit: 1, windowMs: 100 },
    steps: [{ do: 'poll', at: 0, need: 1, count: 1000, everyMs: 1, granted: [10, 10] }],
  },
  {
    title: 'R10 caps of 2^53-1',
    algorithms: ALGORITHMS,
    quota: { limit: MAX, windowMs: YEAR_MS },
    steps: [
      { do: 'take', at: 0, need: MAX - 1, expect: { granted: MAX - 1, remaining: 1 } },
      { do: 'take', at: 0, need: 1, want: MAX, expect: { granted: 1, remaining: 0 } },
      { do: 'take', at: 0, need: 1, want: MAX, expect: { granted: 0, remaining: 0 } },
      { do: 'refund', at: 0, amount: MAX, refunded: MAX },
      { do: 'take', at: 0, need: 1, want: MAX, expect: { granted: MAX, remaining: 0 } },
      { do: 'take', at: 0, need: MAX, change: { chargeDenied: true }, expect: { granted: 0, remaining: 0 } },
      { do: 'peek', at: 3 * YEAR_MS, cost: MAX, expect: { remaining: MAX, retryMs: 0, resetMs: 0 } },
    ],
  },
  {
    title: 'R10 the clock steps back: what was used stays used, and waits count from the clock as it is',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 61_000, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'take', at: 59_000, need: 1, expect: { granted: 0, remaining: 0 } },
      { do: 'take', at: 2000, need: 1, expect: { granted: 0, remaining: 0 } },
    ],
  },
  {
    title: 'R10 the clock steps back within a bucket: the wait includes the time to catch up',
    algorithms: BUCKETS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 5000, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'take', at: 1000, need: 1, expect: { granted: 0, retryMs: 10_000, resetMs: 64_000 } },
      { do: 'take', at: 11_000, need: 1, expect: { granted: 1 } },
    ],
  },
  {
    title: 'R10 a state from far ahead is garbage: a clock that was put right does not lock anybody out',
    algorithms: ALGORITHMS,
    quota: { limit: 10, windowMs: 60_000 },
    steps: [
      { do: 'take', at: 1_000_000_000, need: 10, expect: { granted: 10, remaining: 0 } },
      { do: 'take', at: 0, need: 10, expect: { granted: 10, remaining: 0 } },
    ],
  },
];
