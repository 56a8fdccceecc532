import type { QuotaJson } from '@sluice/rules';
import type { Scenario } from './scenario.js';

const BUSY = { limit: 10_000, window_seconds: 1 };
const OTHERS: readonly QuotaJson[] = [
  { ...BUSY, algorithm: 'sliding_counter', sub_buckets: 10 },
  { ...BUSY, algorithm: 'fixed_window' },
  { ...BUSY, algorithm: 'token_bucket' },
  { ...BUSY, algorithm: 'gcra', burst: 2_000 },
];

function nameOf({ algorithm, sub_buckets: k }: QuotaJson): string {
  return k === undefined ? `${algorithm}` : `${algorithm} k=${k}`;
}

function rolls({ algorithm }: QuotaJson): boolean {
  return algorithm === 'fixed_window' || algorithm === 'sliding_counter';
}

/** The other algorithms that lease, near their limit and beyond it. */
export const ALGORITHM_SCENARIOS: readonly Scenario[] = OTHERS.flatMap((quota): readonly Scenario[] => [
  { name: `${nameOf(quota)} 10000/s 50 nodes 100 %`, quota, nodes: 50, load: 1, windows: 12, shortWindows: 6, goals: { ofExact: 0.98, ...(rolls(quota) ? { rollPeak: 3 } : {}) } },
  { name: `${nameOf(quota)} 10000/s 50 nodes 150 %`, quota, nodes: 50, load: 1.5, windows: 12, shortWindows: 6, goals: { ofDemand: quota.sub_buckets === undefined ? 0.99 : 0.97, tripsPerRequest: 0.15 } },
]);
