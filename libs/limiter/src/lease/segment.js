import { DRY_UNTIL, ENDS_AT, ENTRY_WORDS, HASH_LOW, KIND_AND_FLAGS, KIND_MASK, LAST_USED, RESET_AT } from './entry-words.js';
import { MAX_UNIT_MS } from './time-unit.js';
/** Entries are numbered through all segments: the segment is the number without these bits. */
export const SEGMENT_BITS = 14;
export const SEGMENT_ENTRIES = 1 << SEGMENT_BITS;
/** So far back that a time of 0 is over whatever a clock does. */
const MARGIN_MS = 2 ** 20;
/** Half of what 32 bits hold at 1 ms: the other half is for times to come. */
const REBASE_AFTER_MS = 2 ** 31;
/** Entries of the first block of memory: a limiter of few keys stays small. */
const FIRST_ENTRIES = 256;
/** Some entries of the table in one block of memory. */
export class Segment {
    /** @param unitOf the unit of the terms with this number, ms. */
    constructor(nowMs, unitOf, size = SEGMENT_ENTRIES, epochMs = nowMs - MARGIN_MS) {
        this.unitOf = unitOf;
        this.size = size;
        this.epochMs = epochMs;
        /** By the first word of the entry; few have one. */
        this.wide = new Map();
        /** Entries in use. */
        this.used = 0;
        /** Entries that are or were in use: those of a lower place. */
        this.touched = 0;
        this.firstFree = -1;
        this.words = new Uint32Array(Math.min(size, FIRST_ENTRIES) * ENTRY_WORDS);
    }
    /** The first word of an entry that was free; -1 when none is. */
    take() {
        let base = this.firstFree;
        if (base >= 0) {
            this.firstFree = (this.words[base + HASH_LOW] ?? 0) - 1;
            this.words.fill(0, base, base + ENTRY_WORDS);
        }
        else if (this.touched < this.size) {
            base = this.touched * ENTRY_WORDS;
            this.touched += 1;
            if (base >= this.words.length)
                this.grow();
        }
        else {
            return -1;
        }
        this.used += 1;
        return base;
    }
    free(base) {
        this.words[base + KIND_AND_FLAGS] = 0;
        this.words[base + HASH_LOW] = this.firstFree + 1;
        this.wide.delete(base);
        this.firstFree = base;
        this.used -= 1;
    }
    grow() {
        const words = new Uint32Array(Math.min(this.size * ENTRY_WORDS, this.words.length * 4));
        words.set(this.words);
        this.words = words;
    }
    /** Times of 32 bits last for weeks and nodes for years: the epoch follows, and every time in the segment with it. */
    rebaseIfDue(nowMs) {
        if (nowMs - this.epochMs >= REBASE_AFTER_MS)
            this.rebase(nowMs - this.epochMs);
    }
    rebase(ageMs) {
        const { words } = this;
        // In whole units of every size, so that no time is rounded again.
        const shiftMs = Math.floor((ageMs - MARGIN_MS) / MAX_UNIT_MS) * MAX_UNIT_MS;
        const earlier = (at, unitMs) => {
            words[at] = Math.max(0, (words[at] ?? 0) - shiftMs / unitMs);
        };
        for (let base = 0; base < words.length; base += ENTRY_WORDS) {
            const kind = (words[base + KIND_AND_FLAGS] ?? 0) & KIND_MASK;
            if (kind === 0)
                continue;
            const unitMs = this.unitOf(kind);
            earlier(base + LAST_USED, 1);
            earlier(base + ENDS_AT, unitMs);
            earlier(base + DRY_UNTIL, unitMs);
            earlier(base + RESET_AT, unitMs);
        }
        this.epochMs += shiftMs;
    }
    /** A copy of one entry in a segment of its own, for a lease that outlives its place in the table. */
    copyOf(base) {
        const copy = new Segment(0, this.unitOf, 1, this.epochMs);
        copy.words.set(this.words.subarray(base, base + ENTRY_WORDS));
        const wide = this.wide.get(base);
        if (wide !== undefined)
            copy.wide.set(0, wide);
        return copy;
    }
}
//# sourceMappingURL=segment.js.map