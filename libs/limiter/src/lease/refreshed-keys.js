/** Kept of each generation: of more refunds in a minute some keys stay refused until their wait is over. */
const MAX_KEYS = 10_000;
/** A key that was not asked for in half that time is forgotten by the table, and with it that it was dry. */
const GENERATION_MS = 300_000;
/**
 * Counters to which permits came back, by name, until a request meets the refusal that this node remembers of one: the table knows no
 * names. Bounded by two generations.
 */
export class RefreshedKeys {
    constructor() {
        this.young = new Set();
        this.old = new Set();
        this.turnAtMs = 0;
    }
    get isEmpty() {
        return this.young.size === 0 && this.old.size === 0;
    }
    add(key, nowMs) {
        if (this.young.size >= MAX_KEYS)
            this.turn(nowMs);
        this.young.add(key);
    }
    /** Whether permits came back to it since it was asked for the last time. */
    take(key) {
        const young = this.young.delete(key);
        return this.old.delete(key) || young;
    }
    tick(nowMs) {
        if (!this.isEmpty && nowMs >= this.turnAtMs)
            this.turn(nowMs);
    }
    turn(nowMs) {
        this.old = this.young;
        this.young = new Set();
        this.turnAtMs = nowMs + GENERATION_MS;
    }
}
//# sourceMappingURL=refreshed-keys.js.map