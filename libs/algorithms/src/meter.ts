import type { BucketUse, Refunded } from './algorithm.js';
import type { Quota } from './quota.js';

/**
 * What one algorithm adds to the rules that hold for all six ({@link algorithmOf}): how its state ages, what it counts as used
 * and when that is free again. `nowMs` is never before the state's own clock here, and every wait counts from it.
 */
export interface Meter<S> {
  /** Time in the state: start of its newest bucket, newest entry or last update. Undefined when the state does not fit the quota. */
  clockMs(state: S, quota: Quota): number | undefined;
  /** The state as of `nowMs`: window rolled, expired entries dropped, sub-buckets shifted, level drained. */
  settle(state: S | undefined, quota: Quota, nowMs: number): S;
  /** Whole permits in use, at most 2^53-1; above the capacity after the limit was lowered. */
  used(settled: S, quota: Quota, nowMs: number): number;
  /** Ms until `need`, at most the capacity, fits; asked only when it does not fit now. */
  waitMs(settled: S, quota: Quota, need: number, nowMs: number): number;
  /** Ms until nothing is in use. */
  freeInMs(settled: S, quota: Quota, nowMs: number): number;
  /** The bucket that a charge would go to. */
  bucket(settled: S, quota: Quota, nowMs: number): number;
  /** Ms until that bucket ends; undefined where there is none, and a lease lives for the lease span. */
  bucketEndsInMs(settled: S, quota: Quota, nowMs: number): number | undefined;
  /** The most that charges beyond the limit may bring into use (R14). */
  ceiling(quota: Quota): number;
  /** The state with `permits` more in use. */
  charge(settled: S, quota: Quota, permits: number, nowMs: number): S;
  /** What is in use by the bucket that it was charged to, oldest first; absent where the newest bucket has all of it. */
  parts?(settled: S, quota: Quota): readonly BucketUse[];
  /** The state with `permits` more in use in an earlier bucket; `settled` itself when that counts no longer. Where there are {@link parts}. */
  chargeTo?(settled: S, quota: Quota, permits: number, bucket: number): S;
  /** Takes off what is left of a charge of `amount` to `bucket`; `settled` itself when that is nothing. */
  refund(settled: S, quota: Quota, amount: number, bucket: number, nowMs: number): Refunded<S>;
}
