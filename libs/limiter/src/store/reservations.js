import { ExpiringMap } from './expiring-map.js';
/** Far more than are open at a time; only stops a caller that never settles from filling the heap. */
const MOST_RESERVATIONS = 1_000_000;
/** How long a claimant may ask again, ms; as in Redis. */
const KEEP_MS = 10_000;
/** The records of reservations in this process, each handed to one claimant (R14). */
export class Reservations {
    constructor() {
        this.held = new ExpiringMap(MOST_RESERVATIONS);
    }
    put(key, record, ttlMs, nowMs) {
        this.held.put(key, { record, claimant: undefined }, nowMs + ttlMs, nowMs);
    }
    claim(key, claimant, nowMs) {
        const held = this.held.get(key, nowMs);
        if (held === undefined)
            return undefined;
        if (held.claimant !== undefined)
            return held.claimant === claimant ? held.record : undefined;
        this.held.put(key, { record: held.record, claimant }, nowMs + KEEP_MS, nowMs);
        return held.record;
    }
    clear() {
        this.held.clear();
    }
}
//# sourceMappingURL=reservations.js.map