import type { Quota } from '@sluice/algorithms';
import type { CompiledRule } from '@sluice/rules';
import type { Shard, Split } from '../split/split.js';
import type { HashSeed } from './counter-hash.js';
import type { Strategy } from './strategy.js';
/** What the counters of one counting identity have in common, whatever the limit. */
export interface Counting {
    readonly identity: string;
    readonly seed: HashSeed;
    /** Live keys, the overflow counter among them (R11). */
    keys: number;
}
/** One quota of a counting identity, and how it is asked; the table names it by number. */
export interface Kind {
    readonly number: number;
    /** What it is found by among the others. */
    readonly text: string;
    readonly counting: Counting;
    /** In which the table keeps its times. */
    readonly unitMs: number;
    /** Entries of the table that name it. */
    entries: number;
}
/** Under what a request is counted: the rule in force, its quota or that of an override, and how the table sees both. */
export interface Terms {
    readonly rule: CompiledRule;
    readonly quota: Quota;
    readonly strategy: Strategy;
    readonly kind: Kind;
    /** Before the names of its counters. */
    readonly keyPrefix: string;
    /** Greatest cost that can pass: the burst, and where a counter is split what fits into each shard. */
    readonly capacity: number;
    /** The quota of the counter as a whole, which says how a shard is asked as well: that of the terms themselves but for a shard's. */
    readonly whole: Quota;
    /** Most permits that are leased ahead of need. */
    readonly mostAhead: number;
    /** Which shard of a split counter they are of. */
    readonly shard: Shard | undefined;
    /** Those of the shards, where the rule splits its counters (R28). */
    readonly split: Split | undefined;
}
/** Whether two quotas of one counter mean the same; a snapshot re-sent brings new objects with the same numbers. */
export declare function sameQuota(a: Quota, b: Quota): boolean;
