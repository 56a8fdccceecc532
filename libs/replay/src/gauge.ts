import type { Quota } from '@sluice/algorithms';
import type { Counter } from './counter.js';

/** What a limit says of its counter, and does to it. `cost` is at least 1 and at most the capacity but where it says otherwise. */
export interface Gauge {
  /** Permits left, never negative. */
  remaining(counter: Counter, quota: Quota, atMs: number): number;
  /** Charges `permits` if there are so many left, all or none. @returns whether it did */
  take(counter: Counter, quota: Quota, permits: number, atMs: number): boolean;
  /** What a denial of `cost` costs where the rule charges it (R7). @returns whether anything was charged */
  chargeDenial(counter: Counter, quota: Quota, cost: number, atMs: number): boolean;
  /** Ms until `cost` fits if nobody else comes; of cost 0 until the counter is within its limit. */
  retryMs(counter: Counter, quota: Quota, cost: number, atMs: number): number;
}
