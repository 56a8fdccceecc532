import type { LeaseState } from '../lease/lease-state.js';
import type { Terms } from '../lease/terms.js';
import type { Split } from './split.js';
/** What a node knows of a split counter as a whole: which shard its trips go to, and what each had left. */
export declare class SplitState {
    terms: Terms;
    split: Split;
    private home;
    /** The shard that trips go to. */
    current: number;
    /**
     * Every shard was dry: from then on one is asked at a time, and the others are not tried after it, until one grants with something left. Without
     * it a node under overload would ask each shard as often as it asks a counter that is not split.
     */
    saturated: boolean;
    /** Where the permits are that this node holds. */
    held: LeaseState | undefined;
    private readonly left;
    /** Before this the above holds; afterwards the shard is wholly free. */
    private readonly freeAtMs;
    private sum;
    private sumUntilMs;
    private latestMs;
    /**
     * @param terms those of the counter as a whole.
     * @param home the shard that this node's trips go to first, and as long as it is not dry.
     */
    constructor(terms: Terms, split: Split, home: number);
    /** Takes up terms that mean the same: a snapshot re-sent changes nothing (R61). False: they mean something else. */
    adopt(terms: Terms, split: Split): boolean;
    /** The fleet is another, or known now: who is at home moves with it. */
    settle(home: number): void;
    /** The store answered for a shard. */
    learn(at: number, remaining: number, freeAtMs: number): void;
    /** Permits over all shards, as last heard of each; one that was never asked counts as free. A hint (R70). */
    remainingHint(nowMs: number): number;
    /** Until all of them are wholly free, ms. */
    resetInMs(nowMs: number): number;
    private add;
}
