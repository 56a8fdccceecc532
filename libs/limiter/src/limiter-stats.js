export function newStats() {
    return {
        decisions: { local: 0, store: 0, fallback: 0, none: 0 },
        asks: 0,
        trips: 0,
        granted: 0,
        returned: 0,
        lost: 0,
        faults: 0,
        sideFaults: 0,
        overflowed: 0,
        reservations: 0,
        settlements: 0,
        settlementsLost: 0,
        unsettled: 0,
        forgiven: 0,
        reports: 0,
        reported: 0,
        unreported: 0,
        activeKeys: 0,
        fallbackKeys: 0,
        tableBytes: 0,
        splits: 0,
        storeOffsetMs: 0,
        snapshotVersion: 0,
        fleetSize: 1,
    };
}
//# sourceMappingURL=limiter-stats.js.map