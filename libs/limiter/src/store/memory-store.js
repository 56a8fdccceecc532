import { algorithmFor } from '@sluice/algorithms';
import { systemClock } from '../clock.js';
import { SeenNodes } from '../fleet/seen-nodes.js';
import { KnownSplits } from '../split/known-splits.js';
import { Reservations } from './reservations.js';
/** Counters looked at for expiry on each write: two a write sweep the whole map before it can double. */
const SWEEP_STEPS = 2;
/** Counters looked at to make room; when all of them are worth to be kept the last one goes. */
const ROOM_LOOKS = 16;
/**
 * Counters in this process, by the pure algorithms: for one node, for tests, and as the fallback while Redis is away. Each
 * call is atomic because nothing in it waits. A counter that is wholly free again is forgotten by a sweep that rides on the
 * writes: no timer (known failures 43 and 68).
 */
export class MemoryStore {
    /** @param maxKeys beyond it an old counter is forgotten, free or not: one that was not used again, and does not refuse, if there is one. */
    constructor(clock, maxKeys = Infinity) {
        this.clock = clock;
        this.maxKeys = maxKeys;
        this.counters = new Map();
        this.sweep = this.counters.entries();
        /** Goes on where it was: one from the start would pass all the places of those that were forgotten before. */
        this.oldest = this.counters.entries();
        this.nodes = new SeenNodes();
        this.splits = new KnownSplits();
        this.reservations = new Reservations();
    }
    get size() {
        return this.counters.size;
    }
    takeNow(ask) {
        const nowMs = this.clock.nowMs();
        const { quota } = ask;
        const algorithm = algorithmFor(quota.algorithm);
        const counter = this.counters.get(ask.key);
        let state = counter?.state;
        if (ask.backAmount > 0)
            state = algorithm.refund(state, quota, ask.backAmount, ask.backBucket, nowMs).state;
        if (ask.want === 0)
            return algorithm.peek(state, quota, ask.need, nowMs);
        const taken = algorithm.take(state, quota, ask.need, ask.want, nowMs);
        if (taken.state !== counter?.state)
            this.keep(ask.key, counter, taken.state, nowMs + taken.outcome.resetMs);
        if (counter !== undefined) {
            counter.used = true;
            counter.refused = taken.outcome.granted < ask.need;
        }
        return taken.outcome;
    }
    take(asks) {
        return Promise.resolve(asks.map((ask) => this.takeNow(ask)));
    }
    takeAll(asks) {
        if (asks.every((ask) => this.grants(ask)))
            return this.take(asks);
        // A limit that charges denials counts its own one; the others are only read.
        return Promise.resolve(asks.map((ask) => this.takeNow(ask.quota.chargeDenied && !this.grants(ask) ? ask : { ...ask, want: 0 })));
    }
    giveBack(returns) {
        return Promise.resolve(returns.map((entry) => this.giveBackNow(entry)));
    }
    giveBackNow({ key, quota, amount, bucket }) {
        const counter = this.counters.get(key);
        const { refunded, state } = algorithmFor(quota.algorithm).refund(counter?.state, quota, amount, bucket, this.clock.nowMs());
        if (counter !== undefined)
            counter.state = state;
        return refunded;
    }
    chargeNow({ key, quota, amount, onlyIfAbsent = false, bucket }) {
        const nowMs = this.clock.nowMs();
        const counter = this.counters.get(key);
        const { outcome, state } = algorithmFor(quota.algorithm).charge(counter?.state, quota, amount, nowMs, onlyIfAbsent, bucket);
        if (state !== counter?.state)
            this.keep(key, counter, state, nowMs + outcome.resetMs);
        return outcome;
    }
    charge(debits) {
        return Promise.resolve(debits.map((debit) => this.chargeNow(debit)));
    }
    reserve(key, record, ttlMs) {
        this.reservations.put(key, record, ttlMs, this.clock.nowMs());
        return Promise.resolve(undefined);
    }
    claim(key, claimant) {
        return Promise.resolve(this.reservations.claim(key, claimant, this.clock.nowMs()));
    }
    /** Looks at some counters and forgets those that are wholly free again. */
    forget(steps) {
        const nowMs = this.clock.nowMs();
        for (let step = 0; step < steps; step += 1) {
            const next = this.sweep.next();
            if (next.done === true) {
                this.sweep = this.counters.entries();
                return;
            }
            const [key, counter] = next.value;
            if (counter.freeAtMs <= nowMs)
                this.counters.delete(key);
        }
    }
    heartbeat(beat) {
        const nowMs = this.clock.nowMs();
        const seen = this.nodes.beat(beat, nowMs);
        return Promise.resolve(beat.splits === undefined ? seen : { ...seen, splits: { counters: this.splits.ask(beat.splits, nowMs), nowMs } });
    }
    usage(counters) {
        const nowMs = this.clock.nowMs();
        return Promise.resolve(counters.map(({ key, quota }) => algorithmFor(quota.algorithm).usage(this.counters.get(key)?.state, quota, nowMs)));
    }
    claimMove(key, counter, step, nodeId) {
        return Promise.resolve(this.splits.claim(key, counter, step, nodeId));
    }
    reset(keys) {
        for (const key of keys)
            this.counters.delete(key);
        return Promise.resolve();
    }
    close() {
        this.counters.clear();
        this.reservations.clear();
        return Promise.resolve();
    }
    grants(ask) {
        return this.takeNow({ ...ask, want: 0 }).remaining >= ask.need;
    }
    keep(key, counter, state, freeAtMs) {
        if (counter === undefined) {
            if (this.counters.size >= this.maxKeys)
                this.makeRoom();
            this.counters.set(key, { state, freeAtMs, used: false, refused: false });
        }
        else {
            counter.state = state;
            counter.freeAtMs = freeAtMs;
        }
        this.forget(SWEEP_STEPS);
    }
    /** A flood of keys that come once must not push out the counters that are at work: those get another round. */
    makeRoom() {
        const nowMs = this.clock.nowMs();
        for (let look = 1; look <= ROOM_LOOKS; look += 1) {
            let next = this.oldest.next();
            if (next.done === true)
                next = (this.oldest = this.counters.entries()).next();
            if (next.done === true)
                return;
            const [key, counter] = next.value;
            this.counters.delete(key);
            const worthKeeping = counter.used || counter.refused;
            if (!worthKeeping || counter.freeAtMs <= nowMs || look === ROOM_LOOKS)
                return;
            counter.used = false;
            this.counters.set(key, counter);
        }
    }
}
/** Counters in this process (see {@link MemoryStore}). */
export function memoryStore(clock = systemClock()) {
    return new MemoryStore(clock);
}
//# sourceMappingURL=memory-store.js.map