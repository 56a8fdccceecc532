/**
 * What came of a settlement. The numbers are permits, summed over all limits (those in shadow mode too) that this call settled: two limits
 * of one request count twice, as in a refund.
 */
export interface Settlement {
    /**
     * - `settled`: the true amount stands, but for what the numbers say;
     * - `unknown`: settled before, expired, never there, or kept by a node that reserved without the store;
     * - `unavailable`: the store is away, and the settlement may be tried again, on this node if it can be.
     */
    readonly status: 'settled' | 'unknown' | 'unavailable';
    /** What stands charged now: the estimates less `returned`, and with `indebted`. */
    readonly charged: number;
    /** What went back; less than the difference where the bucket of the charge is over (R9). */
    readonly returned: number;
    /** What was charged beyond the estimates; less than the difference where a counter is at its ceiling. */
    readonly indebted: number;
}
export declare const UNKNOWN: Settlement;
export declare const UNAVAILABLE: Settlement;
