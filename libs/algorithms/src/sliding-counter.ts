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

/** The sub-bucket `j` counts of which have shifted out on the left; those to come are empty. */
function countAt(counts: readonly number[], j: number): number {
  return counts[j] ?? 0;
}

/**
 * The least that the oldest of k + 1 counts from `from` on still counts for, however late: at most the mean of the k before
 * the newest is taken for spread out evenly. Those k are within the limit, so at most limit / k passes too much (R2).
 */
function floorOf(counts: readonly number[], from: number, k: number): number {
  let sum = 0;
  for (let j = from; j < from + k; j += 1) sum += countAt(counts, j);
  return countAt(counts, from) - Math.floor(sum / k);
}

/** Sum of the counts after the oldest one, at most 2^53-1. */
function wholeCounts(counts: readonly number[], from: number): number {
  let sum = 0;
  for (let j = from + 1; j < counts.length; j += 1) sum = saturatingAdd(sum, countAt(counts, j));
  return sum;
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
    const elapsedMs = nowMs - index * width;
    const decayed = mulDivUp(countAt(counts, 0), width - elapsedMs, width);
    return saturatingAdd(Math.max(decayed, floorOf(counts, 0, quota.subBuckets)), wholeCounts(counts, 0));
  },
  waitMs({ index, counts }, quota, need, nowMs) {
    const width = widthOf(quota);
    const k = quota.subBuckets;
    let fromMs = nowMs - index * width;
    for (let j = 0; j <= k; j += 1, fromMs = 0) {
      const oldest = countAt(counts, j);
      const room = quota.limit - need - wholeCounts(counts, j);
      if (room < 0 || floorOf(counts, j, k) > room) continue;
      const fitsMs = oldest <= room ? fromMs : Math.max(fromMs, width - mulDiv(room, width, oldest).quotient);
      if (fitsMs < width) return (index + j) * width + fitsMs - nowMs;
    }
    return (index + k + 1) * width - nowMs;
  },
  freeInMs({ index, counts }, quota, nowMs) {
    const newest = counts.findLastIndex((count) => count > 0);
    return newest < 0 ? 0 : (index + newest + 1) * widthOf(quota) - nowMs;
  },
  bucket: ({ index }) => index,
  bucketEndsInMs: ({ index }, quota, nowMs) => (index + 1) * widthOf(quota) - nowMs,
  charge: (settled, quota, permits) => ({
    ...settled,
    counts: settled.counts.with(quota.subBuckets, countAt(settled.counts, quota.subBuckets) + permits),
  }),
  refund(settled, quota, amount, bucket) {
    const j = bucket - settled.index + quota.subBuckets;
    const refunded = Math.min(amount, countAt(settled.counts, j));
    if (refunded === 0) return { refunded, state: settled };
    return { refunded, state: { ...settled, counts: settled.counts.with(j, countAt(settled.counts, j) - refunded) } };
  },
});
