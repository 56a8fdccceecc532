import { QueryTooLarge } from '../../store/store-faults.js';
import type { TimeRange } from '../../input/time-range.js';

/** Lengths of the parts of time that sums come in, by name, the shortest first; all are aligned to the epoch, so days are those of UTC. */
export const BUCKETS = { '1s': 1_000, '10s': 10_000, '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const;
export type BucketName = keyof typeof BUCKETS;
export const BUCKET_NAMES = Object.keys(BUCKETS) as readonly BucketName[];

/** Rows that an answer has at most. */
export const MOST_ROWS = 10_000;

/** How many buckets of a length lie in a range, in part or whole. */
export function bucketsIn({ fromMs, toMs }: TimeRange, bucketMs: number): number {
  return Math.floor((toMs - 1) / bucketMs) - Math.floor(fromMs / bucketMs) + 1;
}

/** The shortest that divides a range into at most so many; the longest where none does. */
export function fittingBucket(range: TimeRange, most: number): BucketName {
  return BUCKET_NAMES.find((name) => bucketsIn(range, BUCKETS[name]) <= most) ?? '1d';
}

/** @throws QueryTooLarge that says which bucket would do, where one group alone would have more rows than an answer */
export function checkBuckets(range: TimeRange, name: BucketName): void {
  const count = bucketsIn(range, BUCKETS[name]);
  if (count <= MOST_ROWS) return;
  const fitting = fittingBucket(range, MOST_ROWS);
  throw new QueryTooLarge(`The range has ${count} buckets of ${name}, and an answer has at most ${MOST_ROWS}. bucket=${fitting} would do; or narrow the range.`);
}
