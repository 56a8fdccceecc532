import type { Lease } from '../lease/lease.js';
import type { Terms } from '../lease/terms.js';
/** The trips of one counter since the last look. */
export interface TripCount {
    trips: number;
    /** Greatest cost asked for. */
    mostCost: number;
    /** As the node counts it; of a shard, its own. */
    terms: Terms;
}
/** Counts questions to the store by counter, a split one as one: which of them are hot. Off the path of local decisions, and bounded. */
export declare class TripCounts {
    private counts;
    private total;
    private sinceMs;
    /** A question leaves for the store. */
    note({ counter, terms }: Lease, passengers: readonly {
        readonly cost: number;
    }[]): void;
    /** What was counted since the last time, by counter. */
    take(nowMs: number): {
        readonly counts: ReadonlyMap<string, TripCount>;
        readonly total: number;
        readonly seconds: number;
    };
}
