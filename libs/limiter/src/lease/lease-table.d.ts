import { EntrySlab } from './entry-slab.js';
import type { Kind } from './terms.js';
import type { TermsBook } from './terms-book.js';
/** Most keys of a table; the rest of what it can number is for those that come while all are in use. */
export declare const MOST_KEYS: number;
/** Who knows what is going on with an entry. */
export interface EntryOwner {
    /** Whether somebody is at work on the entry, so that it cannot leave now. `live`: there is a lease object of it. */
    keeps(entry: number, live: boolean): boolean;
    /** The entry of a lease object is about to go: its permits have to go back. */
    leaves(entry: number): void;
}
/**
 * What a node knows of its counters, in at most 64 bytes each: a hash index over entries of typed arrays. Bounded: when full, one that
 * was not used for long makes room (R30). A hand that goes round forgets whatever was not used for a minute.
 */
export declare class LeaseTable {
    private readonly book;
    private readonly owner;
    readonly slab: EntrySlab;
    private readonly index;
    private readonly maxKeys;
    private hand;
    private missedUntil;
    private random;
    constructor(maxKeys: number, book: TermsBook, owner: EntryOwner);
    get size(): number;
    /** Memory of entries and index. */
    get bytes(): number;
    /** Until then, by what the node knew, one of those near their limits counts that had to make room before they were free (R29). */
    get missedUntilMs(): number;
    /** The entry of the counter with this hash, or -1. */
    find(low: number, high: number, kind: Kind): number;
    /** A new entry for a counter that has none. */
    add(low: number, high: number, kind: Kind, nowMs: number): number;
    /** The number of the terms that the entry was written under. */
    kindNumber(entry: number): number;
    remove(entry: number): void;
    /** Counted under other terms from now on. */
    rename(entry: number, from: Kind | undefined, to: Kind): void;
    /** Called now and then: looks at some entries and forgets what was not used for a minute. */
    tick(nowMs: number, steps: number): void;
    /** A counter near its limit is remembered until it is free: what is forgotten is left alone anew (R29). */
    private isNear;
    private resetAtMs;
    private evict;
    /** 0 to 1; by a linear congruence, which is random enough to sample by. */
    private nextRandom;
    private letGo;
    private advance;
}
