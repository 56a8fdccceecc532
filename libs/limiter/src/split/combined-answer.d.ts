import type { Quota } from '@sluice/algorithms';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Lease } from '../lease/lease.js';
import type { Answer } from '../store/counter-store.js';
/** What a counter is kept as: itself, or its shards (R28). */
export interface Part {
    readonly key: string;
    readonly quota: Quota;
    /** Permits of it that this node holds; below 0 where it has admitted so many that the store does not know of. */
    readonly held: number;
}
/** A counter that is read, and the greatest cost that it can grant. */
export interface Found {
    /** As a whole. */
    readonly key: string;
    readonly capacity: number;
    readonly parts: readonly Part[];
}
/** What has to be read of a counter that a cursor stands on, and holds nothing: it is asked every time. */
export declare function partsToRead({ split, values }: LeaseCursor, { key, quota }: Lease): readonly Part[];
/**
 * What a counter answers to a cost, from the answers of its parts to it: their sum; that it refuses when no single part has enough, as a request would
 * find. A fault where one of them has not answered.
 */
export declare function combinedAnswer(parts: readonly Part[], answers: readonly Answer[], cost: number): Answer;
