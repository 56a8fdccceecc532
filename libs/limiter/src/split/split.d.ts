import type { Quota } from '@sluice/algorithms';
import type { CompiledRule } from '@sluice/rules';
import type { Terms } from '../lease/terms.js';
/** Which part of a split counter (R28). */
export interface Shard {
    readonly at: number;
    readonly of: number;
}
/** The parts of a counter that is split: counters of their own, whose limits add up to that of the whole. */
export interface Split {
    /** That of the counter as a whole. */
    readonly whole: Quota;
    /** What fits into each of the shards. */
    readonly least: number;
    /** Whether a node may wait for longer than the store says, when all shards are dry (R24). */
    readonly paced: boolean;
    readonly shards: readonly Terms[];
    /** What one shard may admit, two, and so on to all of them: for those whose servers are away. */
    readonly away: readonly Quota[];
}
/**
 * Over how many shards the counters of a rule are split; 1: they are not. Whatever the limit is: another number means other counters, and a change of
 * the limit or an override would start clean (R61). Rules whose shards would be too small are not published (see `splitFaults` of `@sluice/rules`).
 */
export declare function shardsOf({ shards, consistency }: CompiledRule, quota: Quota, asked?: number): number;
/** How many of the shards, the first ones, are in use: where an override admits less than there are shards the others have no permit. */
export declare function shardsInUse({ limit, burst }: Quota, of: number): number;
/** The quota of one shard: limit and burst in equal parts, what is left over to the first ones. */
export declare function shardQuota(quota: Quota, { at, of }: Shard): Quota;
/** Most permits that a node leases ahead of need from one shard: it is the home of others too. */
export declare function mostAhead({ limit }: Quota): number;
/** The quotas of one shard of those in use, two, and so on, rounded down; the last one is that of the whole. */
export declare function quotasOfParts(whole: Quota, of: number): readonly Quota[];
/** Part `at` of a whole that is divided into `of` integers as equal as can be. */
export declare function partOf(whole: number, at: number, of: number): number;
