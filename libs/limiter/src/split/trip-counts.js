/** Counters told apart between two looks. One that has a share of the trips worth the name is among the first of them, but for chance. */
const MOST_COUNTERS = 512;
/** Counts questions to the store by counter, a split one as one: which of them are hot. Off the path of local decisions, and bounded. */
export class TripCounts {
    constructor() {
        this.counts = new Map();
        this.total = 0;
        this.sinceMs = 0;
    }
    /** A question leaves for the store. */
    note({ counter, terms }, passengers) {
        this.total += 1;
        let cost = 0;
        for (const passenger of passengers)
            if (passenger.cost > cost)
                cost = passenger.cost;
        const count = this.counts.get(counter);
        if (count === undefined) {
            if (this.counts.size < MOST_COUNTERS)
                this.counts.set(counter, { trips: 1, mostCost: cost, terms });
            return;
        }
        count.trips += 1;
        count.terms = terms;
        if (cost > count.mostCost)
            count.mostCost = cost;
    }
    /** What was counted since the last time, by counter. */
    take(nowMs) {
        const taken = { counts: this.counts, total: this.total, seconds: Math.max(0.001, (nowMs - this.sinceMs) / 1000) };
        this.counts = new Map();
        this.total = 0;
        this.sinceMs = nowMs;
        return taken;
    }
}
//# sourceMappingURL=trip-counts.js.map