import type { Scenario } from './scenario.js';

/** Window edges of the counters, and calendars. */
export const WINDOW_SCENARIOS: readonly Scenario[] = [
  {
    title: 'R2 the boundary burst: the sliding counter admits 5, 0, 2, 3',
    algorithms: ['sliding_counter'],
    quota: { limit: 5, windowMs: 1000 },
    steps: [
      { do: 'poll', at: 500, need: 1, count: 5, everyMs: 0, granted: [5, 5] },
      { do: 'poll', at: 1000, need: 1, count: 5, everyMs: 0, granted: [0, 0] },
      { do: 'poll', at: 1500, need: 1, count: 5, everyMs: 0, granted: [2, 2] },
      { do: 'poll', at: 2000, need: 1, count: 5, everyMs: 0, granted: [3, 3] },
    ],
  },
  {
    title: 'R2 the boundary burst: the fixed window admits 5 and 5',
    algorithms: ['fixed_window'],
    quota: { limit: 5, windowMs: 1000 },
    steps: [
      { do: 'poll', at: 500, need: 1, count: 5, everyMs: 0, granted: [5, 5] },
      { do: 'poll', at: 1000, need: 1, count: 5, everyMs: 0, granted: [5, 5] },
    ],
  },
  {
    title: 'R2 sub-buckets: a burst is not taken for an even stream, so half the limit at most passes too much with two',
    algorithms: ['sliding_counter'],
    quota: { limit: 100, windowMs: 1000, subBuckets: 2 },
    steps: [
      { do: 'take', at: 499, need: 100, expect: { granted: 100, remaining: 0 } },
      { do: 'take', at: 1498, need: 51, want: 100, expect: { granted: 0, remaining: 50, retryMs: 2 } },
      { do: 'take', at: 1498, need: 1, want: 100, expect: { granted: 50, remaining: 0, retryMs: 2 } },
      { do: 'peek', at: 1500, cost: 50, expect: { remaining: 50, retryMs: 0 } },
    ],
  },
  {
    title: 'R2 sub-buckets: an even stream decays evenly',
    algorithms: ['sliding_counter'],
    quota: { limit: 100, windowMs: 1000, subBuckets: 2 },
    steps: [
      { do: 'take', at: 0, need: 50, expect: { granted: 50 } },
      { do: 'take', at: 500, need: 50, expect: { granted: 50, remaining: 0, retryMs: 1000 } },
      { do: 'peek', at: 1250, cost: 25, expect: { remaining: 25, retryMs: 0 } },
      { do: 'peek', at: 1499, cost: 50, expect: { remaining: 49, retryMs: 1 } },
    ],
  },
  {
    title: 'R10 a calendar month of a zone: 29 February ends at local midnight',
    algorithms: ['fixed_window'],
    quota: { limit: 5, calendar: { unit: 'month', timeZone: 'Europe/Berlin' } },
    startMs: Date.parse('2024-02-29T23:59:59.999+01:00'),
    steps: [
      { do: 'take', at: 0, need: 5, expect: { granted: 5, remaining: 0, retryMs: 1, resetMs: 1, bucketEndsInMs: 1, bucket: Date.parse('2024-02-01T00:00+01:00') } },
      { do: 'take', at: 0, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 1, need: 5, expect: { granted: 5, retryMs: 31 * 86_400_000 - 3_600_000, bucket: Date.parse('2024-03-01T00:00+01:00') } },
      { do: 'refund', at: 2, amount: 1, refunded: 1 },
    ],
  },
  {
    title: 'R10 a calendar day of 23 hours that has no midnight, and the day of 25',
    algorithms: ['fixed_window'],
    quota: { limit: 5, calendar: { unit: 'day', timeZone: 'America/Sao_Paulo' } },
    startMs: Date.parse('2018-11-03T23:59:59.999-03:00'),
    steps: [
      { do: 'take', at: 0, need: 5, expect: { granted: 5, retryMs: 1 } },
      { do: 'take', at: 1, need: 5, expect: { granted: 5, retryMs: 23 * 3_600_000 } },
      { do: 'take', at: 23 * 3_600_000, need: 1, expect: { granted: 0, retryMs: 1 } },
      { do: 'take', at: 23 * 3_600_000 + 1, need: 5, expect: { granted: 5, retryMs: 24 * 3_600_000 } },
      // 2019-02-16, at the end of which the clock goes back from 24:00 to 23:00.
      { do: 'take', at: Date.parse('2019-02-16T00:00-02:00') - Date.parse('2018-11-03T23:59:59.999-03:00'), need: 5, expect: { granted: 5, retryMs: 25 * 3_600_000 } },
    ],
  },
];
