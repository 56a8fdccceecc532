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

/**
 * One algorithm as pure functions over an immutable state; `undefined` is a counter that was never used.
 * The caller owns the clock: `nowMs` is an integer in ms and may step back.
 */
export interface Algorithm<S> {
  /** Grants `remaining >= need ? min(want, remaining) : 0` and charges it. `1 <= need <= want`. */
  take(state: S | undefined, quota: Quota, need: number, want: number, nowMs: number): Taken<S>;
  /** What `take` of `cost` would answer, with `granted` 0; nothing changes. Cost 0 asks for the reading alone. */
  peek(state: S | undefined, quota: Quota, cost: number, nowMs: number): Outcome;
  /** Returns `amount` permits that were charged to `bucket`; too late for it means 0. Never above the limit (R9). */
  refund(state: S | undefined, quota: Quota, amount: number, bucket: number, nowMs: number): Refunded<S>;
}
