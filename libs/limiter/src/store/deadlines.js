import { StoreFault } from './store-fault.js';
/** Trips that are over are let go when another one leaves, so that young ones die young; so many may stand in front of the first that is not. */
const COMPACT_FROM = 64;
/**
 * Gives up trips that take too long (R40). All may take equally long, so they stand in the order in which they left, and one timer waits
 * for the first: a timer for each would cost more than the rest of a call.
 */
export class Deadlines {
    /** @param gaveUp called after a trip was given up and its callers were told. */
    constructor(timeoutMs, gaveUp) {
        this.timeoutMs = timeoutMs;
        this.gaveUp = gaveUp;
        this.queue = [];
        this.first = 0;
        this.armed = false;
    }
    watch(trip) {
        this.letGo();
        this.queue.push({ trip, dueMs: performance.now() + this.timeoutMs });
        if (!this.armed)
            this.arm(this.timeoutMs);
    }
    arm(delayMs) {
        this.armed = true;
        // What has arrived is read first: where the process itself was held up, the server is not to blame (R45).
        this.timer = setTimeout(() => setImmediate(() => this.look()), delayMs);
    }
    /** Gives up at once what is still in the air: a long timeout must not hold up the end of a process (R44). */
    close() {
        clearTimeout(this.timer);
        this.armed = false;
        for (const { trip } of this.queue.splice(0))
            if (!trip.over)
                this.giveUp(trip);
        this.first = 0;
    }
    letGo() {
        const { queue } = this;
        while (queue[this.first]?.trip.over === true)
            this.first += 1;
        if (this.first === queue.length)
            queue.length = 0;
        else if (this.first >= COMPACT_FROM)
            queue.splice(0, this.first);
        else
            return;
        this.first = 0;
    }
    look() {
        this.armed = false;
        const nowMs = performance.now();
        let entry = this.queue[this.first];
        while (entry !== undefined && (entry.dueMs <= nowMs || entry.trip.over)) {
            this.first += 1;
            if (!entry.trip.over)
                this.giveUp(entry.trip);
            entry = this.queue[this.first];
        }
        this.letGo();
        if (entry !== undefined && !this.armed)
            this.arm(Math.ceil(entry.dueMs - nowMs));
    }
    giveUp(trip) {
        trip.expire(new StoreFault('timeout', `Redis did not answer within ${this.timeoutMs} ms`));
        this.gaveUp(trip);
    }
}
//# sourceMappingURL=deadlines.js.map