import { Segment } from './segment.js';
import type { Kind } from './terms.js';
import type { TermsBook } from './terms-book.js';
/** 24 bits name an entry, and 0 names none. */
export declare const MAX_ENTRIES: number;
/** The memory of the table: entries by number, in segments that come and go as they are needed. */
export declare class EntrySlab {
    private readonly book;
    private readonly segments;
    /** Numbers of segments that have room, and of those that are not there. */
    private readonly roomy;
    private readonly vacant;
    private used;
    private capacity;
    constructor(book: TermsBook);
    get size(): number;
    /** The next number from `entry` on, round and round, that an entry has or had; 0 when there is none. */
    next(entry: number): number;
    /** The place of an entry that is or was, by two numbers from 0 to 1; -1 when there is none in that part. */
    at(part: number, within: number): number;
    /** Bytes of memory that the entries take. */
    get bytes(): number;
    /** Where the entry is; undefined for -1. */
    segment(entry: number): Segment | undefined;
    base(entry: number): number;
    lowOf(entry: number): number;
    highOf(entry: number): number;
    /** Whether the entry is of the counter with this hash; two rules never share one. */
    is(entry: number, low: number, high: number, kind: Kind): boolean;
    take(low: number, high: number, kind: Kind, nowMs: number): number;
    free(entry: number): void;
    private drop;
    private roomyNumber;
}
