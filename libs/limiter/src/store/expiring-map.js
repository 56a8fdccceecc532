/** Entries looked at for expiry on each put: two a put sweep the whole map before it can double. */
const SWEEP_STEPS = 2;
/**
 * Values that end at a time, and no more of them than a bound: beyond it the oldest goes. What has ended is not there; its memory is
 * freed by a sweep that rides on the puts, so there is no timer (known failures 43 and 68).
 */
export class ExpiringMap {
    constructor(maxSize) {
        this.maxSize = maxSize;
        this.entries = new Map();
        this.sweep = this.entries.entries();
    }
    /** Entries in memory, ended ones that no sweep has met included. */
    get size() {
        return this.entries.size;
    }
    get(key, nowMs) {
        const entry = this.entries.get(key);
        return entry !== undefined && nowMs < entry.endsAtMs ? entry.value : undefined;
    }
    put(key, value, endsAtMs, nowMs) {
        this.forgetEnded(nowMs);
        if (!this.entries.has(key) && this.entries.size >= this.maxSize)
            this.forgetOldest();
        this.entries.set(key, { value, endsAtMs });
    }
    /** The value, which is gone then. */
    take(key, nowMs) {
        const value = this.get(key, nowMs);
        this.entries.delete(key);
        return value;
    }
    clear() {
        this.entries.clear();
    }
    forgetEnded(nowMs) {
        for (let step = 0; step < SWEEP_STEPS; step += 1) {
            const next = this.sweep.next();
            if (next.done === true) {
                this.sweep = this.entries.entries();
                return;
            }
            const [key, { endsAtMs }] = next.value;
            if (endsAtMs <= nowMs)
                this.entries.delete(key);
        }
    }
    forgetOldest() {
        const { value: oldest } = this.entries.keys().next();
        if (oldest !== undefined)
            this.entries.delete(oldest);
    }
}
//# sourceMappingURL=expiring-map.js.map