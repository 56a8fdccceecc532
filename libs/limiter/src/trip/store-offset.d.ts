import type { LimiterStats } from '../limiter-stats.js';
/** What a trip says of the store's clock is right to some ms: smaller changes are noise, which would make reset times flicker (R6). */
export declare function noteOffset(stats: LimiterStats, storeNowMs: number, sentAtMs: number, nowMs: number): void;
