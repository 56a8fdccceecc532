import { type CounterValues } from '../counter-name.js';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Terms } from '../lease/terms.js';
import type { TermsBook } from '../lease/terms-book.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { Heard, SplitsAsk } from '../store/counter-store.js';
import type { HotKeys } from './hot-keys.js';
import { type MoveScheduleParts } from './move-schedule.js';
import { type Split } from './split.js';
import { SplitPeriod } from './split-period.js';
import type { TripCounts } from './trip-counts.js';
/** Three beats and some: whoever does not miss three in a row hears in time. */
export declare const LEAD_MS = 3500;
export interface AutoSplitsParts extends MoveScheduleParts {
    readonly book: TermsBook;
    readonly stats: LimiterStats;
    /** What was asked since the last beat. */
    readonly trips: TripCounts;
    readonly hotKeys: Required<HotKeys>;
}
/** A counter that this node has met in a split period. */
interface Met {
    readonly period: SplitPeriod;
    readonly values: CounterValues;
    terms: Terms;
    split: Split | undefined;
}
/**
 * Splits the counters that are hot, by themselves (R28). A node says with its heartbeat which counters take too much of its trips; the store keeps which
 * are split from when to when, and tells every node; at that moment by the store's clock all of them change over. Local decisions never look at this.
 */
export declare class AutoSplits {
    private readonly parts;
    private readonly periods;
    /** By the entry of the counter. */
    private readonly met;
    private readonly unsplit;
    private readonly moves;
    constructor(parts: AutoSplitsParts);
    /** Counters that are split now. */
    get size(): number;
    /** The parts of the counter that the cursor stands on, as far as this node has met it split. */
    of({ entry, values, terms }: LeaseCursor, nowMs: number): Split | undefined;
    /** The same of any counter, by its name: for what is not on the path of a request. */
    find(terms: Terms, values: CounterValues, nowMs: number): Split | undefined;
    /** A trip is due for the counter that the cursor stands on: whether it is split, which {@link of} says from now on. */
    meets(cursor: LeaseCursor, nowMs: number): boolean;
    /** A cost came that fits into no shard: the counter has to be whole again. Answers how long that takes, ms. */
    unsplitFor({ key, entry }: LeaseCursor, nowMs: number): number;
    /** What this node has to say with its next beat. */
    ask(nowMs: number): SplitsAsk;
    hear({ counters, nowMs: storeMs }: NonNullable<Heard['splits']>): void;
    /** Called often: starts the moves that are due. Answers the counters of this node whose split is over. */
    tick(nowMs: number): readonly Met[];
    private proposals;
    private shardsFor;
    private splitOf;
    private storeMs;
}
export {};
