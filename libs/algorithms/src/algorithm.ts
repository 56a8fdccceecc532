import type { Outcome } from './outcome.js';
import type { Quota } from './quota.js';

/** An outcome and the state after it. An unchanged state is the very same value (R7: a denial changes nothing). */
export interface Taken<S> {
  readonly outcome: Outcome;
  readonly state: S | undefined;
}

/** What a refund gave back (0 when it came too late) and the state after it. */
export interface Refunded<S> {
  readonly refunded: number;
  readonly state: S | undefined;
}

/** Permits in use that were charged to one bucket. */
export interface BucketUse {
  readonly bucket: number;
  readonly amount: number;
}

/** What is in use of a counter. Charged to another one, each part to its bucket, it makes that one the same. */
export interface Usage {
  readonly nowMs: number;
  readonly parts: readonly BucketUse[];
}

/**
 * One algorithm as pure functions over an immutable state; `undefined` is a counter that was never used.
 * The caller owns the clock: `nowMs` is an integer in ms and may step back.
 */
export interface Algorithm<S> {
  /** Grants `remaining >= need ? min(want, remaining) : 0` and charges it. `1 <= need <= want`. */
  take(state: S | undefined, quota: Quota, need: number, want: number, nowMs: number): Taken<S>;
  /** What `take` of `cost` would answer, with `granted` 0; nothing changes. Cost 0 asks for the reading alone: its `retryMs` is the time until the counter is within its limit. */
  peek(state: S | undefined, quota: Quota, cost: number, nowMs: number): Outcome;
  /** Returns `amount` permits that were charged to `bucket`; too late for it means 0. Never above the limit (R9). */
  refund(state: S | undefined, quota: Quota, amount: number, bucket: number, nowMs: number): Refunded<S>;
  /**
   * Charges `amount` whatever is left, beyond the limit too: debt that later requests pay off (R14). `granted` is what was charged: the
   * whole amount, but for what would pass the ceiling of a counter (2^53-1 in use; twice the capacity for those that drain, so that
   * debt is paid off within the time of another full burst). `retryMs` speaks of one permit. Amount 0 reads. With `onlyIfAbsent` nothing
   * is charged to a counter that holds any use. `bucket`: an earlier one, as {@link usage} names it; too late for it means 0.
   */
  charge(state: S | undefined, quota: Quota, amount: number, nowMs: number, onlyIfAbsent?: boolean, bucket?: number): Taken<S>;
  /** What is in use, debt included, so that it can be moved to other counters (R28). */
  usage(state: S | undefined, quota: Quota, nowMs: number): Usage;
}
