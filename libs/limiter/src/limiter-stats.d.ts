/** Counts since the start of a node; read by metrics. Every number only grows, but for the last six. */
export interface LimiterStats {
    /** Decisions by where the permit or refusal came from. */
    readonly decisions: {
        local: number;
        store: number;
        fallback: number;
        none: number;
    };
    /** Questions sent to the store for permits: one script run each (R20). */
    asks: number;
    /** Round trips that carried them: questions of one tick share one (R22). */
    trips: number;
    /** Permits granted to leases, and given back unspent. */
    granted: number;
    returned: number;
    /** Permits that could not be given back, since the store was away; some may have arrived though their answer did not. */
    lost: number;
    /** Questions that the store did not answer. */
    faults: number;
    /** Other calls that it did not answer: settlements, debts, reports, what goes back, signs of life. */
    sideFaults: number;
    /** Requests counted in a rule's overflow counter, since the rule had too many keys (R11). */
    overflowed: number;
    /** Reservations made, and settled (R14). */
    reservations: number;
    settlements: number;
    /** Settlements of which something was lost on the way to the store, and the permits by which its counters are off for that. */
    settlementsLost: number;
    unsettled: number;
    /** Permits of debts that were not charged, since the counter was at its ceiling. */
    forgiven: number;
    /** Reports of what was admitted before the store knew of it, one script run each, and the permits in them (R29). */
    reports: number;
    reported: number;
    /** Permits admitted so that the store never heard of: it was away until they did not count any more, or at the end. */
    unreported: number;
    /** Leases known now, and counters of the fallback. */
    activeKeys: number;
    fallbackKeys: number;
    /** Memory of the table of what is known of each key, bytes. */
    tableBytes: number;
    /** Counters that are split now by themselves, of the whole fleet (R28). */
    splits: number;
    /** The store's clock minus the node's, ms (R6). */
    storeOffsetMs: number;
    snapshotVersion: number;
    /** Nodes that share each limit while the store is away: as configured, else as last heard (R41). */
    fleetSize: number;
}
export declare function newStats(): LimiterStats;
