/** Of a flight that has not taken off. */
const NO_PLAN = { want: 0, paceMs: 0, lastCall: false, eases: false, jitterMs: 0 };
/** One trip to the store for one counter, shared by everybody who waits for it; what it asks for is known when it takes off. */
export class Flight {
    /** @param shared whether it holds up others of its counter; as the rule said when it was made, whatever it says on landing. */
    constructor(lease, passengers, shared) {
        this.lease = lease;
        this.passengers = passengers;
        this.shared = shared;
        this.need = 0;
        this.want = 0;
        this.backAmount = 0;
        this.backBucket = 0;
        /** What to do with the answer. */
        this.plan = NO_PLAN;
        this.sentAtMs = 0;
        this.key = lease.key;
        this.quota = lease.quota;
    }
    /** Closes it to newcomers: it asks by the limit in force now. Answers the sum of what its passengers need. */
    close() {
        const { lease, passengers } = this;
        this.quota = lease.quota;
        if (this.shared) {
            lease.flying = true;
            lease.collecting = undefined;
        }
        let need = Number.MAX_SAFE_INTEGER;
        let sum = 0;
        for (const { cost } of passengers) {
            need = Math.min(need, cost);
            sum = Math.min(sum + cost, Number.MAX_SAFE_INTEGER);
        }
        this.need = need;
        return sum;
    }
}
//# sourceMappingURL=flight.js.map