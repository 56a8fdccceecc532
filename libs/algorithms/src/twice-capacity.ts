import { capacityOf, type Quota } from './quota.js';

/**
 * How far charged denials, and debts of what drains, may bring the use: one more capacity, 2^53-1 at most. So whoever waits for the time
 * of two full bursts is out of it, and no key outlives that (R7, R12, R14).
 */
export function twiceCapacity(quota: Quota): number {
  return Math.min(2 * capacityOf(quota), Number.MAX_SAFE_INTEGER);
}
