import { mulDivUp } from './mul-div.js';
import type { Quota } from './quota.js';

/**
 * What is left of `amount` permits charged to a draining level at `chargedMs`: what has drained since is gone, and giving it
 * back would fill a later time's budget (R9). The drain is rounded up, in favour of the limit. A charge from the future has no rest.
 */
export function undrained(amount: number, chargedMs: number, quota: Quota, nowMs: number): number {
  if (chargedMs > nowMs) return 0;
  return Math.max(0, amount - mulDivUp(nowMs - chargedMs, quota.limit, quota.windowMs));
}
