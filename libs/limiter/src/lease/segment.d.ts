/** Entries are numbered through all segments: the segment is the number without these bits. */
export declare const SEGMENT_BITS = 14;
export declare const SEGMENT_ENTRIES: number;
/** A second refusal of one counter: what costs up to `need` is refused until then. */
export interface Wide {
    readonly need: number;
    readonly untilMs: number;
}
/** Some entries of the table in one block of memory. */
export declare class Segment {
    private readonly unitOf;
    readonly size: number;
    epochMs: number;
    words: Uint32Array;
    /** By the first word of the entry; few have one. */
    readonly wide: Map<number, Wide>;
    /** Entries in use. */
    used: number;
    /** Entries that are or were in use: those of a lower place. */
    touched: number;
    private firstFree;
    /** @param unitOf the unit of the terms with this number, ms. */
    constructor(nowMs: number, unitOf: (kind: number) => number, size?: number, epochMs?: number);
    /** The first word of an entry that was free; -1 when none is. */
    take(): number;
    free(base: number): void;
    private grow;
    /** Times of 32 bits last for weeks and nodes for years: the epoch follows, and every time in the segment with it. */
    rebaseIfDue(nowMs: number): void;
    private rebase;
    /** A copy of one entry in a segment of its own, for a lease that outlives its place in the table. */
    copyOf(base: number): Segment;
}
