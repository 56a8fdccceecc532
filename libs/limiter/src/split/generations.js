/**
 * Values by number; one that was not asked for in one to two spans is forgotten, or when there are too many others. No timer for each: two
 * maps that change places.
 */
export class Generations {
    /** @param most values of each map: twice as many at most are kept. */
    constructor(spanMs, most) {
        this.spanMs = spanMs;
        this.most = most;
        this.young = new Map();
        this.old = new Map();
        this.turnAtMs = 0;
    }
    get size() {
        return this.young.size + this.old.size;
    }
    get(key) {
        const value = this.young.get(key);
        if (value !== undefined || this.old.size === 0)
            return value;
        const known = this.old.get(key);
        if (known !== undefined)
            this.set(key, known);
        return known;
    }
    set(key, value) {
        this.old.delete(key);
        this.young.set(key, value);
        if (this.young.size >= this.most)
            this.turn();
    }
    tick(nowMs) {
        if (nowMs < this.turnAtMs)
            return;
        this.turn();
        this.turnAtMs = nowMs + this.spanMs;
    }
    turn() {
        this.old = this.young;
        this.young = new Map();
    }
}
//# sourceMappingURL=generations.js.map