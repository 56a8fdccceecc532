/** Entries of one part when the table is full: it grows by itself, in some 0.3 ms, and never all parts at once. */
const PART_ENTRIES = 4_096;
const MIN_SLOTS = 16;
/** Slots are 5 bytes an entry when just full and 6.25 when just grown; a miss then looks at 13 slots, of one or two cache lines. */
const MAX_LOAD = 0.8;
const GROWTH = 1.25;
/** Below it a part shrinks. */
const MIN_LOAD = 0.25;
const ENTRY_MASK = 0xffffff;
/** Finds entries by their 64-bit hash: open addressing with linear probing, in parts that grow and shrink by themselves. */
export class HashIndex {
    constructor(maxEntries, slab) {
        this.slab = slab;
        const bits = Math.max(0, Math.ceil(Math.log2(maxEntries / PART_ENTRIES)));
        this.parts = Array.from({ length: 2 ** bits }, () => NO_SLOTS);
        this.counts = new Uint32Array(2 ** bits);
        // A shift by 32 is one by 0: with one part the mask below leaves nothing.
        this.shift = (32 - bits) & 31;
    }
    /** Bytes of memory that the slots take. */
    get bytes() {
        return this.parts.reduce((sum, slots) => sum + slots.byteLength, 0);
    }
    /** The entry's number, or -1. */
    find(low, high, kind) {
        const slots = this.parts[this.part(high)] ?? NO_SLOTS;
        const size = slots.length;
        if (size === 0)
            return -1;
        const tag = high & 0xff;
        for (let at = homeOf(low, size);;) {
            const slot = slots[at] ?? 0;
            if (slot === 0)
                return -1;
            if (slot >>> 24 === tag) {
                const entry = (slot & ENTRY_MASK) - 1;
                if (this.slab.is(entry, low, high, kind))
                    return entry;
            }
            at = at + 1 === size ? 0 : at + 1;
        }
    }
    insert(low, high, entry) {
        const part = this.part(high);
        const count = (this.counts[part] ?? 0) + 1;
        let slots = this.parts[part] ?? NO_SLOTS;
        if (count > slots.length * MAX_LOAD)
            slots = this.resize(part, Math.max(MIN_SLOTS, Math.ceil(slots.length * GROWTH)));
        place(slots, low, slotOf(high, entry));
        this.counts[part] = count;
    }
    remove(low, high, entry) {
        const part = this.part(high);
        const slots = this.parts[part] ?? NO_SLOTS;
        const size = slots.length;
        const sought = slotOf(high, entry);
        let hole = homeOf(low, size);
        while (slots[hole] !== sought) {
            if (slots[hole] === 0)
                return;
            hole = hole + 1 === size ? 0 : hole + 1;
        }
        // What follows moves up where its probe would meet the hole: no tombstones.
        for (let at = hole + 1 === size ? 0 : hole + 1;; at = at + 1 === size ? 0 : at + 1) {
            const slot = slots[at] ?? 0;
            if (slot === 0)
                break;
            const home = homeOf(this.slab.lowOf((slot & ENTRY_MASK) - 1), size);
            if ((at - home + size) % size < (at - hole + size) % size)
                continue;
            slots[hole] = slot;
            hole = at;
        }
        slots[hole] = 0;
        const count = (this.counts[part] ?? 0) - 1;
        this.counts[part] = count;
        if (size > MIN_SLOTS && count < size * MIN_LOAD)
            this.resize(part, Math.max(MIN_SLOTS, Math.ceil(size / 2)));
    }
    part(high) {
        return (high >>> this.shift) & (this.parts.length - 1);
    }
    resize(part, size) {
        const slots = new Uint32Array(size);
        for (const slot of this.parts[part] ?? NO_SLOTS) {
            if (slot !== 0)
                place(slots, this.slab.lowOf((slot & ENTRY_MASK) - 1), slot);
        }
        this.parts[part] = slots;
        return slots;
    }
}
const NO_SLOTS = new Uint32Array(0);
function slotOf(high, entry) {
    return (((high & 0xff) << 24) | (entry + 1)) >>> 0;
}
/** The hash as a fraction of all, times the slots: any number of slots will do. */
function homeOf(low, size) {
    return Math.floor(((low >>> 0) * size) / 2 ** 32);
}
function place(slots, low, slot) {
    const size = slots.length;
    let at = homeOf(low, size);
    while (slots[at] !== 0)
        at = at + 1 === size ? 0 : at + 1;
    slots[at] = slot;
}
//# sourceMappingURL=hash-index.js.map