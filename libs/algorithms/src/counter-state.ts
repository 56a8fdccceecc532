import type { FixedWindowState } from './fixed-window.js';
import type { GcraState } from './gcra.js';
import type { LeakyBucketState } from './leaky-bucket.js';
import type { SlidingCounterState } from './sliding-counter.js';
import type { SlidingLogState } from './sliding-log.js';
import type { TokenBucketState } from './token-bucket.js';

/**
 * The state of a counter of any algorithm: an immutable plain value that a store keeps and hands back. Stores need not look
 * into it; `algorithm` names the one that wrote it.
 */
export type CounterState =
  | FixedWindowState
  | SlidingLogState
  | SlidingCounterState
  | TokenBucketState
  | LeakyBucketState
  | GcraState;

/** The state of one algorithm. */
export type StateOf<A extends CounterState['algorithm']> = Extract<CounterState, { readonly algorithm: A }>;
