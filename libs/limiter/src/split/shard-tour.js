import { keyOf } from '../counter-name.js';
/**
 * One request's way through the shards of a split counter: who is refused by one asks the next that is not known to be dry, so that nobody is refused
 * while another has permits. The one exception to R21's one trip a request, and bounded: what a shard refuses is remembered, and once all
 * of them are dry one is asked at a time.
 */
export class ShardTour {
    constructor(shards, state, cursor, lease) {
        this.shards = shards;
        this.state = state;
        this.tried = new Set();
        this.values = cursor.values;
        this.at = cursor.terms.shard?.at ?? 0;
        this.lease = lease;
    }
    /** Of a request whose cursor stands on a shard; undefined for a counter that is whole. */
    static of(shards, cursor, lease) {
        const { split, terms } = cursor;
        return split === undefined || terms.shard === undefined || lease === undefined ? undefined : new ShardTour(shards, split, cursor, lease);
    }
    /** The key of the counter as a whole, under which this node goes on by itself while the store is away (R41). */
    get key() {
        return keyOf(this.state.terms, this.values);
    }
    /** Takes up how a wait for permits of the shard at hand ended. Undefined: {@link lease} is that of another shard now, which is to be asked. */
    landed(landing, cost, nowMs) {
        const { state, lease } = this;
        this.tried.add(this.at);
        // Who has waited for a server that did not answer waits for no second one.
        if (landing.kind === 'fault')
            return landing.fault.kind !== 'timeout' && this.moveOn(cost, nowMs) ? undefined : landing;
        state.learn(this.at, lease.storeRemaining, nowMs + lease.resetInMs(nowMs));
        state.held = lease;
        if (landing.kind !== 'refused') {
            state.current = this.at;
            if (lease.standing(cost, nowMs) !== 'dry')
                state.saturated = false;
            else if (state.saturated)
                this.pause(cost, nowMs);
            return landing;
        }
        if (!state.saturated && this.moveOn(cost, nowMs))
            return undefined;
        const waitMs = this.shards.shortestWaitMs(state.split, this.values, cost, nowMs, landing.retryMs);
        if (!state.split.paced)
            return { kind: 'refused', retryMs: waitMs };
        state.saturated = true;
        return { kind: 'refused', retryMs: Math.max(waitMs, this.pause(cost, nowMs)) };
    }
    /** What the shards may admit together whose servers are in trouble: the one at hand at least. */
    awayQuota(isAway) {
        const { split } = this.state;
        const away = split.shards.filter((terms) => isAway(keyOf(terms, this.values))).length;
        return split.away[Math.max(1, away) - 1] ?? split.whole;
    }
    moveOn(cost, nowMs) {
        const next = this.shards.choose(this.state, this.values, cost, nowMs, this.tried);
        const terms = this.state.split.shards[next];
        if (terms === undefined)
            return false;
        this.at = next;
        this.lease = this.shards.leaseOf(this.state, terms, this.values, nowMs);
        return true;
    }
    /** All shards are dry: nobody asks before the pace of the one that was asked last is over. Answers how long that is, ms. */
    pause(cost, nowMs) {
        const pauseMs = this.lease.waitMs(cost, nowMs);
        if (pauseMs > 0)
            this.shards.anchorOf(this.state.terms, this.values)?.refuse(cost, nowMs + pauseMs, nowMs);
        return pauseMs;
    }
}
//# sourceMappingURL=shard-tour.js.map