import type { AlgorithmName } from '../quota.js';

/** Those that drain, and may have a burst. */
export const BUCKETS: readonly AlgorithmName[] = ['token_bucket', 'leaky_bucket', 'gcra'];

/** Those that give a permit back exactly one window after the first use at the latest; the sliding counter estimates. */
export const PROMPT: readonly AlgorithmName[] = ['fixed_window', 'sliding_log', ...BUCKETS];
