import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './algorithm-of.js';
import { append, dropUntil, EMPTY_LOG, newestMs, reachesAtMs, takeOff, type EntryLog } from './entry-log.js';

/** Every charge of the trailing window, one entry a ms. 2 numbers an entry, at most min(limit, windowMs) of them. */
export interface SlidingLogState {
  readonly algorithm: 'sliding_log';
  readonly log: EntryLog;
}

/**
 * A charge with more entries than this after it can not be given back: a store that keeps running sums has to rewrite them all, while nobody else is
 * served. A lease, which lives a second at most, has no more than that behind it.
 */
const MOST_AFTER_REFUND = 1024;

/** Counts exactly what passed in the trailing window, at the price of remembering it. Denials leave no entry (known failure 11). */
export const slidingLog: Algorithm<SlidingLogState> = algorithmOf<SlidingLogState>({
  clockMs: ({ log }) => newestMs(log),
  settle(state, quota, nowMs) {
    const log = dropUntil(state?.log ?? EMPTY_LOG, nowMs - quota.windowMs);
    return state?.log === log ? state : { algorithm: 'sliding_log', log };
  },
  used: ({ log }) => log.total,
  waitMs: ({ log }, quota, need, nowMs) => reachesAtMs(log, log.total - (quota.limit - need)) + quota.windowMs - nowMs,
  freeInMs: ({ log }, quota, nowMs) => (newestMs(log) ?? nowMs - quota.windowMs) + quota.windowMs - nowMs,
  bucket: (_settled, _quota, nowMs) => nowMs,
  bucketEndsInMs: () => undefined,
  // Windows end, so debt needs no other bound.
  ceiling: () => Number.MAX_SAFE_INTEGER,
  charge: ({ algorithm, log }, _quota, permits, nowMs) => ({ algorithm, log: append(log, nowMs, permits) }),
  refund(settled, _quota, amount, bucket) {
    const { taken, log } = takeOff(settled.log, bucket, amount, MOST_AFTER_REFUND);
    if (taken === 0) return { refunded: 0, state: settled };
    return { refunded: taken, state: log.total === 0 ? undefined : { algorithm: settled.algorithm, log } };
  },
});
