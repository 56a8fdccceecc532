import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './algorithm-of.js';
import { levelMeter, type LevelState } from './level.js';

export type LeakyBucketState = LevelState<'leaky_bucket'>;

/**
 * A bucket of `burst` that leaks limit / windowMs per ms. As a meter it refuses what would overflow, the dual of the token
 * bucket; as a shaper (`quota.shape`) it admits the same and says in `delayMs` how long to hold each request back, so that
 * they leave at an even pace.
 */
export const leakyBucket: Algorithm<LeakyBucketState> = algorithmOf(levelMeter('leaky_bucket'));
