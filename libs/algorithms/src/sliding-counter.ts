import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './algorithm-of.js';
import { mulDiv, mulDivUp } from './mul-div.js';
import type { Quota } from './quota.js';
import { saturatingAdd } from './saturating-add.js';

/** Counts of the newest sub-bucket and the k before it. k + 2 numbers a key. */
export interface SlidingCounterState {
  readonly algorithm: 'sliding_counter';
  /** Of the newest sub-bucket: its start is `index` times the width. */
  readonly index: number;
  /** k + 1 counts, oldest first. */
  readonly counts: readonly number[];
}

function widthOf(quota: Quota): number {
  return quota.windowMs / quota.subBuckets;
}

/** Those that have shifted out on the left hold nothing, nor do those to come. */
function countAt(counts: readonly number[], j: number): number {
  return counts[j] ?? 0;
}

/** Never above 2^53-1, for a charge adds no more than is left up to there. */
function sumOf(counts: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let j = from; j < to; j += 1) sum += countAt(counts, j);
  return sum;
}

/**
 * The least that a decaying count still counts for, however late in its decay: at most the mean of the k that had been filled
 * when it began is taken for spread out evenly. Those k were within the limit, so at most limit / k passes too much (R2).
 */
function floorOf(oldest: number, filled: number, k: number): number {
  return oldest - Math.floor(filled / k);
}

/**
 * A trailing window estimated from k + 1 sub-buckets, the oldest of which decays as it leaves; the default. With k = 1 it is
 * the plain estimate from the last window and this one, up to twice the limit under bursts; with k sub-buckets at most 1/k
 * too much.
 */
export const slidingCounter: Algorithm<SlidingCounterState> = algorithmOf<SlidingCounterState>({
  clockMs: ({ index, counts }, quota) => (counts.length === quota.subBuckets + 1 ? index * widthOf(quota) : undefined),
  settle(state, quota, nowMs) {
    const index = Math.floor(nowMs / widthOf(quota));
    if (state?.index === index) return state;
    const shift = state === undefined ? quota.subBuckets + 1 : index - state.index;
    const counts = Array.from({ length: quota.subBuckets + 1 }, (_, j) => (state === undefined ? 0 : countAt(state.counts, j + shift)));
    return { algorithm: 'sliding_counter', index, counts };
  },
  used({ index, counts }, quota, nowMs) {
    const width = widthOf(quota);
    const k = quota.subBuckets;
    const oldest = countAt(counts, 0);
    const decayed = mulDivUp(oldest, width - (nowMs - index * width), width);
    const floor = floorOf(oldest, sumOf(counts, 0, k), k);
    return saturatingAdd(Math.max(decayed, floor), sumOf(counts, 1, k + 1));
  },
  waitMs({ index, counts }, quota, need, nowMs) {
    const width = widthOf(quota);
    const k = quota.subBuckets;
    let fromMs = nowMs - index * width;
    let filled = sumOf(counts, 0, k);
    let whole = sumOf(counts, 1, k + 1);
    // Sub-bucket by sub-bucket from the present one on: in each, counts[j] decays and those after it count whole.
    for (let j = 0; j <= k; j += 1) {
      const oldest = countAt(counts, j);
      const room = quota.limit - need - whole;
      if (room >= 0 && floorOf(oldest, filled, k) <= room) {
        const fitsMs = oldest <= room ? fromMs : Math.max(fromMs, width - mulDiv(room, width, oldest).quotient);
        return (index + j) * width + fitsMs - nowMs;
      }
      fromMs = 0;
      filled = whole;
      whole -= countAt(counts, j + 1);
    }
    return (index + k + 1) * width - nowMs;
  },
  freeInMs({ index, counts }, quota, nowMs) {
    const newest = counts.findLastIndex((count) => count > 0);
    return newest < 0 ? 0 : (index + newest + 1) * widthOf(quota) - nowMs;
  },
  bucket: ({ index }) => index,
  bucketEndsInMs: ({ index }, quota, nowMs) => (index + 1) * widthOf(quota) - nowMs,
  // Windows end, so debt needs no other bound.
  ceiling: () => Number.MAX_SAFE_INTEGER,
  charge: (settled, quota, permits) => ({
    ...settled,
    counts: settled.counts.with(quota.subBuckets, countAt(settled.counts, quota.subBuckets) + permits),
  }),
  parts: ({ index, counts }, { subBuckets }) => counts.map((amount, j) => ({ bucket: index + j - subBuckets, amount })),
  chargeTo(settled, quota, permits, bucket) {
    const j = bucket - settled.index + quota.subBuckets;
    if (j < 0 || j > quota.subBuckets) return settled;
    return { ...settled, counts: settled.counts.with(j, countAt(settled.counts, j) + permits) };
  },
  refund(settled, quota, amount, bucket) {
    const j = bucket - settled.index + quota.subBuckets;
    const refunded = Math.min(amount, countAt(settled.counts, j));
    if (refunded === 0) return { refunded, state: settled };
    return { refunded, state: { ...settled, counts: settled.counts.with(j, countAt(settled.counts, j) - refunded) } };
  },
});
