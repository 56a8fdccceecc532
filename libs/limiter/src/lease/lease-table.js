import { KIND_AND_FLAGS, KIND_MASK, LAST_USED, LIVE, NEAR, RESET_AT } from './entry-words.js';
import { EntrySlab, MAX_ENTRIES } from './entry-slab.js';
import { HashIndex } from './hash-index.js';
/** A key that was not used for so long is forgotten, ms, so that keys of the past do not count for ever (R11). */
const FORGET_MS = 60_000;
/** Of so many entries, at random, the one that was not used for the longest time leaves when there is no room (as in Redis). */
const SAMPLE = 8;
/** Places looked at for a sample. When all are in use now the table grows: by no more than there are requests in the air. */
const MAX_LOOKS = 64;
/** Most keys of a table; the rest of what it can number is for those that come while all are in use. */
export const MOST_KEYS = MAX_ENTRIES - 2 ** 20;
/**
 * What a node knows of its counters, in at most 64 bytes each: a hash index over entries of typed arrays. Bounded: when full, one that
 * was not used for long makes room (R30). A hand that goes round forgets whatever was not used for a minute.
 */
export class LeaseTable {
    constructor(maxKeys, book, owner) {
        this.book = book;
        this.owner = owner;
        this.hand = 0;
        this.missedUntil = -Infinity;
        this.random = 1;
        this.maxKeys = Math.min(maxKeys, MOST_KEYS);
        this.slab = new EntrySlab(book);
        this.index = new HashIndex(this.maxKeys, this.slab);
    }
    get size() {
        return this.slab.size;
    }
    /** Memory of entries and index. */
    get bytes() {
        return this.slab.bytes + this.index.bytes;
    }
    /** Until then, by what the node knew, one of those near their limits counts that had to make room before they were free (R29). */
    get missedUntilMs() {
        return this.missedUntil;
    }
    /** The entry of the counter with this hash, or -1. */
    find(low, high, kind) {
        return this.index.find(low, high, kind);
    }
    /** A new entry for a counter that has none. */
    add(low, high, kind, nowMs) {
        if (this.slab.size >= this.maxKeys)
            this.evict(nowMs);
        const entry = this.slab.take(low, high, kind, nowMs);
        this.index.insert(low, high, entry);
        return entry;
    }
    /** The number of the terms that the entry was written under. */
    kindNumber(entry) {
        return (this.slab.segment(entry)?.words[this.slab.base(entry) + KIND_AND_FLAGS] ?? 0) & KIND_MASK;
    }
    remove(entry) {
        this.index.remove(this.slab.lowOf(entry), this.slab.highOf(entry), entry);
        this.slab.free(entry);
    }
    /** Counted under other terms from now on. */
    rename(entry, from, to) {
        const segment = this.slab.segment(entry);
        if (segment === undefined)
            return;
        const at = this.slab.base(entry) + KIND_AND_FLAGS;
        segment.words[at] = (((segment.words[at] ?? 0) & ~KIND_MASK) | to.number) >>> 0;
        if (from !== undefined)
            this.book.leave(from);
        this.book.enter(to);
    }
    /** Called now and then: looks at some entries and forgets what was not used for a minute. */
    tick(nowMs, steps) {
        const { slab } = this;
        let first = -1;
        for (let left = slab.size === 0 ? 0 : steps; left > 0; left -= 1) {
            const entry = this.advance();
            if (entry === first)
                return;
            if (first < 0)
                first = entry;
            const segment = slab.segment(entry);
            if (segment === undefined)
                continue;
            const base = slab.base(entry);
            if (base === 0)
                segment.rebaseIfDue(nowMs);
            if (isFree(segment, base) || nowMs - usedAtMs(segment, base) < FORGET_MS || this.isNear(segment, base, nowMs))
                continue;
            const live = isLive(segment, base);
            if (!this.owner.keeps(entry, live))
                this.letGo(entry, live);
        }
    }
    /** A counter near its limit is remembered until it is free: what is forgotten is left alone anew (R29). */
    isNear(segment, base, nowMs) {
        return ((segment.words[base + KIND_AND_FLAGS] ?? 0) & NEAR) !== 0 && nowMs < this.resetAtMs(segment, base);
    }
    resetAtMs(segment, base) {
        const unitMs = this.book.unitOf((segment.words[base + KIND_AND_FLAGS] ?? 0) & KIND_MASK);
        return segment.epochMs + (segment.words[base + RESET_AT] ?? 0) * unitMs;
    }
    evict(nowMs) {
        const { slab } = this;
        let oldest = -1;
        let oldestMs = Infinity;
        for (let looks = 0, seen = 0; looks < MAX_LOOKS && seen < SAMPLE; looks += 1) {
            const entry = slab.at(this.nextRandom(), this.nextRandom());
            const segment = slab.segment(entry);
            if (segment === undefined || isFree(segment, slab.base(entry)))
                continue;
            const base = slab.base(entry);
            const usedMs = usedAtMs(segment, base);
            seen += 1;
            if (usedMs >= oldestMs || this.owner.keeps(entry, isLive(segment, base)))
                continue;
            oldest = entry;
            oldestMs = usedMs;
        }
        const segment = slab.segment(oldest);
        if (oldest < 0 || segment === undefined)
            return;
        const base = slab.base(oldest);
        if (this.isNear(segment, base, nowMs))
            this.missedUntil = Math.max(this.missedUntil, this.resetAtMs(segment, base));
        this.letGo(oldest, isLive(segment, base));
    }
    /** 0 to 1; by a linear congruence, which is random enough to sample by. */
    nextRandom() {
        this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0;
        return this.random / 2 ** 32;
    }
    letGo(entry, live) {
        if (live)
            this.owner.leaves(entry);
        this.remove(entry);
    }
    advance() {
        const entry = this.slab.next(this.hand);
        this.hand = entry + 1;
        return entry;
    }
}
function isFree(segment, base) {
    return segment.words[base + KIND_AND_FLAGS] === 0;
}
function isLive(segment, base) {
    return ((segment.words[base + KIND_AND_FLAGS] ?? 0) & LIVE) !== 0;
}
function usedAtMs(segment, base) {
    return segment.epochMs + (segment.words[base + LAST_USED] ?? 0);
}
//# sourceMappingURL=lease-table.js.map