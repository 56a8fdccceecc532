import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './algorithm-of.js';
import { levelMeter, type LevelState } from './level.js';

export type TokenBucketState = LevelState<'token_bucket'>;

/**
 * `burst` tokens, refilled at limit / windowMs per ms: at most burst + limit in any window. The state holds the missing tokens,
 * not those that are there (R61).
 */
export const tokenBucket: Algorithm<TokenBucketState> = algorithmOf(levelMeter('token_bucket'));
