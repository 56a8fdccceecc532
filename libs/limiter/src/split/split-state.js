/** What a node knows of a split counter as a whole: which shard its trips go to, and what each had left. */
export class SplitState {
    /**
     * @param terms those of the counter as a whole.
     * @param home the shard that this node's trips go to first, and as long as it is not dry.
     */
    constructor(terms, split, home) {
        this.terms = terms;
        this.split = split;
        this.home = home;
        /**
         * Every shard was dry: from then on one is asked at a time, and the others are not tried after it, until one grants with something left. Without
         * it a node under overload would ask each shard as often as it asks a counter that is not split.
         */
        this.saturated = false;
        this.sum = 0;
        this.sumUntilMs = -Infinity;
        this.latestMs = 0;
        this.current = home;
        this.left = new Float64Array(split.shards.length);
        this.freeAtMs = new Float64Array(split.shards.length);
    }
    /** Takes up terms that mean the same: a snapshot re-sent changes nothing (R61). False: they mean something else. */
    adopt(terms, split) {
        const { whole, shards } = this.split;
        if (split.shards.length !== shards.length || split.whole.limit !== whole.limit || split.whole.burst !== whole.burst)
            return false;
        this.terms = terms;
        this.split = split;
        return true;
    }
    /** The fleet is another, or known now: who is at home moves with it. */
    settle(home) {
        if (this.current === this.home)
            this.current = home;
        this.home = home;
    }
    /** The store answered for a shard. */
    learn(at, remaining, freeAtMs) {
        this.left[at] = remaining;
        this.freeAtMs[at] = freeAtMs;
        this.sumUntilMs = -Infinity;
    }
    /** Permits over all shards, as last heard of each; one that was never asked counts as free. A hint (R70). */
    remainingHint(nowMs) {
        if (nowMs >= this.sumUntilMs)
            this.add(nowMs);
        const { held } = this;
        return Math.min(this.split.whole.burst, this.sum + (held !== undefined && nowMs < held.endsAtMs ? held.balance : 0));
    }
    /** Until all of them are wholly free, ms. */
    resetInMs(nowMs) {
        if (nowMs >= this.sumUntilMs)
            this.add(nowMs);
        return this.latestMs - nowMs;
    }
    add(nowMs) {
        this.sum = 0;
        this.sumUntilMs = Infinity;
        this.latestMs = 0;
        this.split.shards.forEach(({ quota }, at) => {
            const freeAtMs = this.freeAtMs[at] ?? 0;
            this.latestMs = Math.max(this.latestMs, freeAtMs);
            if (nowMs < freeAtMs)
                this.sumUntilMs = Math.min(this.sumUntilMs, freeAtMs);
            this.sum += nowMs < freeAtMs ? (this.left[at] ?? 0) : quota.burst;
        });
    }
}
//# sourceMappingURL=split-state.js.map