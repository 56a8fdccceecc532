import { median } from '../cold/measure.js';

/** A median, and between what it lies with 95 % confidence. */
export interface MedianInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** By the ranks of the values, so that nothing is assumed of how they spread; needs about ten of them. */
export function medianInterval(values: readonly number[]): MedianInterval {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  // Half the values are below the true median, give or take two standard deviations of a coin.
  const low = Math.max(0, Math.floor((count - 1.96 * Math.sqrt(count)) / 2) - 1);
  return { median: median(values), low: sorted[low] ?? Number.NaN, high: sorted[count - 1 - low] ?? Number.NaN };
}
