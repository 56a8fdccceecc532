/** What `splits.lua` and `claim-move.lua` keep in Redis, for stores in this process. */
export class KnownSplits {
    constructor() {
        this.splits = new Map();
        this.claims = new Map();
    }
    ask({ key, proposals, leadMs, holdMs, barMs, most }, nowMs) {
        const known = this.splits.get(key) ?? new Map();
        this.splits.set(key, known);
        for (const { counter, untilMs, barredMs } of known.values())
            if (untilMs + leadMs <= nowMs && barredMs <= nowMs)
                this.forget(known, counter);
        for (const { counter, shards } of proposals) {
            const split = known.get(counter);
            const untilMs = nowMs + leadMs + (shards > 0 ? holdMs : 0);
            if (split !== undefined && split.untilMs - leadMs > nowMs) {
                known.set(counter, { ...split, untilMs: Math.max(untilMs, split.fromMs), barredMs: shards > 0 ? split.barredMs : nowMs + barMs });
            }
            else if (split === undefined && shards > 0 && known.size < most)
                known.set(counter, { counter, shards, fromMs: nowMs + leadMs, untilMs, barredMs: 0 });
        }
        return [...known.values()];
    }
    claim(key, counter, step, nodeId) {
        if (this.splits.get(key)?.has(counter) !== true)
            return false;
        const name = JSON.stringify([counter, step]);
        const holder = this.claims.get(name) ?? nodeId;
        this.claims.set(name, holder);
        return holder === nodeId;
    }
    forget(known, counter) {
        known.delete(counter);
        for (const name of this.claims.keys())
            if (name.startsWith(`[${JSON.stringify(counter)},`))
                this.claims.delete(name);
    }
}
//# sourceMappingURL=known-splits.js.map