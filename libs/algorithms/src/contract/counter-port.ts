import type { Outcome } from '../outcome.js';
import type { Quota } from '../quota.js';

/**
 * One counter of a store under test, with a clock that the test sets: what a scenario needs of the memory store, of Redis and
 * of a Redis Cluster alike.
 */
export interface CounterPort {
  /** The store's clock from here on, in ms since the epoch. It may step back. */
  setNow(nowMs: number): void;
  acquire(quota: Quota, need: number, want: number): Outcome | Promise<Outcome>;
  peek(quota: Quota, cost: number): Outcome | Promise<Outcome>;
  /** The permits that were given back. */
  refund(quota: Quota, amount: number, bucket: number): number | Promise<number>;
  /** Beyond the limit too; of a counter that holds any use only without `onlyIfAbsent`. */
  charge(quota: Quota, amount: number, onlyIfAbsent: boolean): Outcome | Promise<Outcome>;
  /** Forgets the counter. */
  reset(): void | Promise<void>;
}
