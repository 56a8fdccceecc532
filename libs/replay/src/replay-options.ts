import type { RuleIndex, Snapshot } from '@sluice/rules';

export interface ReplayOptions {
  /** The set that is tried: an index, or the snapshot to make one of. */
  readonly rules: RuleIndex | Snapshot;
  /** What an index was made of: with it matches of columns are remembered. */
  readonly snapshot?: Snapshot;
  /** Length of the buckets of time at first; they double while there are more than 1,440. Default one minute. */
  readonly bucketMs?: number;
  /** Keys, plans and endpoints that sums are kept for, each; default 50,000. */
  readonly mostNames?: number;
  /** Counters kept for each rule, each in two generations; default 2,000,000. */
  readonly mostCounters?: number;
}

export const MOST_BUCKETS = 1_440;
export const DEFAULT_BUCKET_MS = 60_000;
export const DEFAULT_MOST_NAMES = 50_000;
export const DEFAULT_MOST_COUNTERS = 2_000_000;
