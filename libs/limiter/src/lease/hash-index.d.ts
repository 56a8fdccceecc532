import type { EntrySlab } from './entry-slab.js';
import type { Kind } from './terms.js';
/** Finds entries by their 64-bit hash: open addressing with linear probing, in parts that grow and shrink by themselves. */
export declare class HashIndex {
    private readonly slab;
    /** A slot is 0, or 8 bits of the hash above the entry's number and one: so that a slot of another counter hardly ever costs a look at its entry. */
    private readonly parts;
    private readonly counts;
    private readonly shift;
    constructor(maxEntries: number, slab: EntrySlab);
    /** Bytes of memory that the slots take. */
    get bytes(): number;
    /** The entry's number, or -1. */
    find(low: number, high: number, kind: Kind): number;
    insert(low: number, high: number, entry: number): void;
    remove(low: number, high: number, entry: number): void;
    private part;
    private resize;
}
