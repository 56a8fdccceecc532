import type { SplitCounter } from '@sluice/lua-scripts';
import type { SplitsAsk } from '../store/counter-store.js';
/** What `splits.lua` and `claim-move.lua` keep in Redis, for stores in this process. */
export declare class KnownSplits {
    private readonly splits;
    private readonly claims;
    ask({ key, proposals, leadMs, holdMs, barMs, most }: SplitsAsk, nowMs: number): readonly SplitCounter[];
    claim(key: string, counter: string, step: string, nodeId: string): boolean;
    private forget;
}
