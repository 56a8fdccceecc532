/** `retryMs` of a cost above the capacity: no waiting helps, so there is no Retry-After (R9). */
export const NEVER = -1;

/**
 * What a counter answers to a take or a peek; the Redis scripts reply the same eight integers in this order, so that
 * both tiers and both stores speak one language (R3).
 */
export interface Outcome {
  /** Permits charged: 0, or between `need` and `want`. */
  readonly granted: number;
  /** Permits left after the grant, never negative. */
  readonly remaining: number;
  /**
   * As of the state after the take: ms until `need` would be granted (again) if nobody else came. 0 when `remaining >= need`,
   * {@link NEVER} when it cannot be. Exact to 1 ms. So a grant that empties the counter says at once when to ask next.
   */
  readonly retryMs: number;
  /** Ms until the counter is wholly free again, 0 when it is. */
  readonly resetMs: number;
  /** The bucket that the grant was charged to; a refund names it. */
  readonly bucket: number;
  /** Ms until a lease on this grant has to be spent or returned. At least 1. */
  readonly bucketEndsInMs: number;
  /** The clock that decided, in ms since the epoch. */
  readonly nowMs: number;
  /** Shaper only: how long the request must be held back before it goes on; else 0. */
  readonly delayMs: number;
}
