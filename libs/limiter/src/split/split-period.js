/** A node that heard nothing for so long before the end waits until it hears: the end may have moved. */
const STALE_MS = 2_500;
/** From when to when a counter is split, by the store's clock, as this node heard it last. */
export class SplitPeriod {
    constructor(counter, shards, fromMs, untilMs, heardAtMs) {
        this.counter = counter;
        this.shards = shards;
        this.fromMs = fromMs;
        this.untilMs = untilMs;
        this.heardAtMs = heardAtMs;
    }
    hear(untilMs, storeMs) {
        this.untilMs = untilMs;
        this.heardAtMs = storeMs;
    }
    /** It was heard of so lately that its end cannot have moved since, or has passed. */
    get knowsEnd() {
        return this.heardAtMs >= this.untilMs - STALE_MS;
    }
    /**
     * Whether the counter is split now. Its end is only moved on before the last beats, so who has heard of it lately knows it; who has not, since the store's
     * server of these is away, keeps to what it knows, as everybody does then.
     */
    covers(storeMs) {
        return storeMs >= this.fromMs && (storeMs < this.untilMs || !this.knowsEnd);
    }
}
//# sourceMappingURL=split-period.js.map