import { mulDiv } from './mul-div.js';
import type { Quota } from './quota.js';

/** What a refund takes off a draining level: `whole` permits, and `part` / windowMs of one. */
export interface Credit {
  readonly whole: number;
  /** In [0, windowMs). */
  readonly part: number;
}

/**
 * What of `amount` permits is still in use when the level they raised will have drained at `drainedAtMs`. The level drains in the order
 * of the charges, so until then at least (drainedAtMs - now) x limit / windowMs of it is theirs or came before them; what is beyond
 * has drained, and giving it back would fill a later time's budget (R9). `drainedAtMs` is rounded up, so that a refund at once undoes
 * its take; that is at most what drains in 1 ms too much.
 */
export function creditOf(amount: number, drainedAtMs: number, quota: Quota, nowMs: number): Credit {
  if (drainedAtMs <= nowMs) return { whole: 0, part: 0 };
  const { quotient, remainder } = mulDiv(drainedAtMs - nowMs, quota.limit, quota.windowMs);
  return quotient >= amount ? { whole: amount, part: 0 } : { whole: quotient, part: remainder };
}
