import { keyOf } from '../counter-name.js';
import { Generations } from './generations.js';
import { SplitState } from './split-state.js';
/** As long as the table remembers a counter at least. */
const REMEMBER_MS = 60_000;
/** Of more split counters that are busy at once some go back to their home, and say too much is left (R30): some 0.3 to 1.3 kB each. */
const MOST_STATES = 20_000;
/**
 * Finds the shard of a split counter that serves a request (R28). A node's trips go to its home; when that is dry to the next that is not known
 * to be, and there they stay. The entry of the counter as a whole, its anchor, counts the demand and remembers until when all shards are dry.
 */
export class Shards {
    /** @param homeOf this node's place among so many shards. */
    constructor(places, homeOf, rechecks) {
        this.places = places;
        this.homeOf = homeOf;
        this.rechecks = rechecks;
        this.states = new Generations(REMEMBER_MS, MOST_STATES);
        /** One for each limit of a request, on the shard that serves it. */
        this.cursors = [];
    }
    /** Whether a request at hand stands on the entry. */
    keeps(entry, limits) {
        for (let at = 0; at < limits; at += 1)
            if (this.cursors[at]?.entry === entry)
                return true;
        return false;
    }
    tick(nowMs) {
        this.states.tick(nowMs);
    }
    stateOf({ entry, terms }, split) {
        const known = this.states.get(entry);
        const home = this.homeOf(split.shards.length);
        if (known !== undefined && (known.split === split || known.adopt(terms, split))) {
            known.settle(home);
            return known;
        }
        const state = new SplitState(terms, split, home);
        this.states.set(entry, state);
        return state;
    }
    /**
     * Stands on the shard that serves the request under its limit number `at`; on the anchor itself while that holds permits of its own, or knows that
     * all shards are dry. Good until the next request.
     */
    pick(at, anchor, split, cost, nowMs) {
        const { values } = anchor;
        const state = this.stateOf(anchor, split);
        anchor.split = state;
        if (!this.places.refreshedKeys.isEmpty)
            this.refresh(anchor, split);
        if (cost > split.least && cost <= anchor.terms.capacity) {
            const waitMs = this.places.auto?.unsplitFor(anchor, nowMs) ?? 0;
            if (waitMs > 0)
                anchor.refuse(cost, nowMs + waitMs, nowMs);
        }
        if (anchor.terms.strategy.leases && this.decides(anchor, cost, nowMs)) {
            state.held = anchor;
            return anchor;
        }
        const found = this.choose(state, values, cost, nowMs);
        if (found < 0)
            state.saturated = split.paced;
        const terms = split.shards[found < 0 ? -1 - found : found] ?? anchor.terms;
        const cursor = (this.cursors[at] ??= this.places.newCursor(terms));
        this.places.stand(cursor, terms, values, nowMs);
        cursor.use(cost, nowMs);
        cursor.serveDemandOf(anchor);
        cursor.split = state;
        state.held = cursor;
        return cursor;
    }
    /** Whether the anchor says what becomes of a cost; else a shard does. */
    decides(anchor, cost, nowMs) {
        const standing = anchor.standing(cost, nowMs);
        return standing === 'held' || (standing === 'dry' && !this.rechecks.due(anchor.waitMs(cost, nowMs), anchor.pauseMs));
    }
    /**
     * The shard for a cost: the current one unless that is dry, else one that holds permits, else the first after it that is not dry. When all are
     * dry, -1 minus the one with the shortest wait.
     */
    choose(state, values, cost, nowMs, tried) {
        const { shards } = state.split;
        let asks = -1;
        let asksDryMs = Infinity;
        let shortest = state.current;
        let shortestMs = Infinity;
        for (let step = 0; step < shards.length; step += 1) {
            const at = (state.current + step) % shards.length;
            const cursor = this.standingOn(shards[at], values);
            const waitMs = tried?.has(at) === true ? Infinity : (cursor?.waitMs(cost, nowMs) ?? 0);
            if (waitMs > 0 && cursor?.standing(cost, nowMs) !== 'held') {
                if (waitMs < shortestMs)
                    [shortest, shortestMs] = [at, waitMs];
                continue;
            }
            if (cursor?.standing(cost, nowMs) === 'held' || (step === 0 && !state.saturated))
                return at;
            // Of those that could be asked the one that was asked longest ago has the most to give, which matters only when there is little.
            const dryMs = state.saturated ? (cursor?.dryUntilMs(nowMs) ?? 0) : 0;
            if (dryMs < asksDryMs)
                [asks, asksDryMs] = [at, dryMs];
        }
        return asks >= 0 ? asks : -1 - shortest;
    }
    /** The lease of a shard, for a trip. */
    leaseOf(state, terms, values, nowMs) {
        const cursor = (this.scratch ??= this.places.newCursor(terms));
        this.places.stand(cursor, terms, values, nowMs);
        cursor.split = state;
        cursor.use(0, nowMs);
        const anchor = this.anchorOf(state.terms, values);
        if (anchor !== undefined)
            cursor.serveDemandOf(anchor);
        return this.places.leaseOf(cursor, nowMs);
    }
    /** Shortest wait over all shards for a cost, ms; `otherwiseMs` where none is known. */
    shortestWaitMs(split, values, cost, nowMs, otherwiseMs) {
        let shortestMs = Infinity;
        for (const terms of split.shards) {
            const waitMs = this.standingOn(terms, values)?.waitMs(cost, nowMs) ?? 0;
            if (waitMs > 0)
                shortestMs = Math.min(shortestMs, waitMs);
        }
        return shortestMs < Infinity ? shortestMs : otherwiseMs;
    }
    /** Stands on the anchor of a split counter; undefined when it has been forgotten. */
    anchorOf(terms, values) {
        const cursor = (this.anchor ??= this.places.newCursor(terms));
        return this.places.seek(cursor, terms, values) ? cursor : undefined;
    }
    /** Permits came back to a shard: it may grant again, and so may the whole. */
    refresh(anchor, { shards }) {
        for (const terms of shards) {
            if (!this.places.refreshedKeys.take(keyOf(terms, anchor.values)))
                continue;
            this.standingOn(terms, anchor.values)?.forgetDryness();
            anchor.forgetDryness();
        }
    }
    standingOn(terms, values) {
        if (terms === undefined)
            return undefined;
        const cursor = (this.scratch ??= this.places.newCursor(terms));
        return this.places.seek(cursor, terms, values) ? cursor : undefined;
    }
}
//# sourceMappingURL=shards.js.map