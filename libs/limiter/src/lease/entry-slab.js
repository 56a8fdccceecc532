import { ENTRY_WORDS, HASH_HIGH, HASH_LOW, KIND_AND_FLAGS, KIND_MASK } from './entry-words.js';
import { SEGMENT_BITS, SEGMENT_ENTRIES, Segment } from './segment.js';
/** 24 bits name an entry, and 0 names none. */
export const MAX_ENTRIES = 2 ** 24 - 2;
/** The memory of the table: entries by number, in segments that come and go as they are needed. */
export class EntrySlab {
    constructor(book) {
        this.book = book;
        this.segments = [];
        /** Numbers of segments that have room, and of those that are not there. */
        this.roomy = [];
        this.vacant = [];
        this.used = 0;
        this.capacity = 0;
    }
    get size() {
        return this.used;
    }
    /** The next number from `entry` on, round and round, that an entry has or had; 0 when there is none. */
    next(entry) {
        let number = entry >>> SEGMENT_BITS;
        let within = entry & (SEGMENT_ENTRIES - 1);
        for (let tries = 0; tries <= this.segments.length; tries += 1) {
            if (within < (this.segments[number]?.touched ?? 0))
                return number * SEGMENT_ENTRIES + within;
            within = 0;
            number = number + 1 < this.segments.length ? number + 1 : 0;
        }
        return 0;
    }
    /** The place of an entry that is or was, by two numbers from 0 to 1; -1 when there is none in that part. */
    at(part, within) {
        const number = Math.floor(part * this.segments.length);
        const touched = this.segments[number]?.touched ?? 0;
        return touched === 0 ? -1 : number * SEGMENT_ENTRIES + Math.floor(within * touched);
    }
    /** Bytes of memory that the entries take. */
    get bytes() {
        return this.segments.reduce((sum, segment) => sum + (segment?.words.byteLength ?? 0), 0);
    }
    /** Where the entry is; undefined for -1. */
    segment(entry) {
        return this.segments[entry >>> SEGMENT_BITS];
    }
    base(entry) {
        return (entry & (SEGMENT_ENTRIES - 1)) * ENTRY_WORDS;
    }
    lowOf(entry) {
        return (this.segment(entry)?.words[this.base(entry) + HASH_LOW] ?? 0) | 0;
    }
    highOf(entry) {
        return (this.segment(entry)?.words[this.base(entry) + HASH_HIGH] ?? 0) | 0;
    }
    /** Whether the entry is of the counter with this hash; two rules never share one. */
    is(entry, low, high, kind) {
        const segment = this.segments[entry >>> SEGMENT_BITS];
        if (segment === undefined)
            return false;
        const { words } = segment;
        const base = this.base(entry);
        if (((words[base + HASH_LOW] ?? 0) | 0) !== low || ((words[base + HASH_HIGH] ?? 0) | 0) !== high)
            return false;
        const number = (words[base + KIND_AND_FLAGS] ?? 0) & KIND_MASK;
        return number === kind.number || this.book.kind(number)?.counting === kind.counting;
    }
    take(low, high, kind, nowMs) {
        const number = this.roomyNumber(nowMs);
        const segment = this.segments[number];
        const base = segment?.take() ?? -1;
        if (segment === undefined || base < 0)
            throw new RangeError(`segment ${number} has no room`);
        // It is the last one of the list: who has no room leaves it at once, and comes back with its next free entry.
        if (segment.used === SEGMENT_ENTRIES)
            this.roomy.pop();
        segment.words[base + HASH_LOW] = low;
        segment.words[base + HASH_HIGH] = high;
        segment.words[base + KIND_AND_FLAGS] = kind.number;
        this.used += 1;
        this.book.enter(kind);
        return number * SEGMENT_ENTRIES + base / ENTRY_WORDS;
    }
    free(entry) {
        const number = entry >>> SEGMENT_BITS;
        const segment = this.segments[number];
        if (segment === undefined)
            return;
        const base = this.base(entry);
        const kind = this.book.kind((segment.words[base + KIND_AND_FLAGS] ?? 0) & KIND_MASK);
        if (kind !== undefined)
            this.book.leave(kind);
        if (segment.used === SEGMENT_ENTRIES)
            this.roomy.push(number);
        segment.free(base);
        this.used -= 1;
        // One empty segment stays, so that a key that comes and goes does not take and free memory each time.
        if (segment.used === 0 && this.capacity - this.used > 2 * SEGMENT_ENTRIES)
            this.drop(number);
    }
    drop(number) {
        this.segments[number] = undefined;
        this.roomy.splice(this.roomy.indexOf(number), 1);
        this.vacant.push(number);
        this.capacity -= SEGMENT_ENTRIES;
    }
    roomyNumber(nowMs) {
        const known = this.roomy.at(-1);
        if (known !== undefined)
            return known;
        const number = this.vacant.pop() ?? this.segments.length;
        this.segments[number] = new Segment(nowMs, (kind) => this.book.unitOf(kind));
        this.roomy.push(number);
        this.capacity += SEGMENT_ENTRIES;
        return number;
    }
}
//# sourceMappingURL=entry-slab.js.map