import { keyOf, OVERFLOW } from '../counter-name.js';
import { LeasedOutcome } from '../leased-outcome.js';
import { BALANCE, BUCKET_HIGH, BUCKET_LOW, DEMAND_BEFORE, DEMAND_NOW, LIVE } from './entry-words.js';
import { Lease } from './lease.js';
import { LeaseState } from './lease-state.js';
/** Stands on the entry of the request at hand, and on the next one's after it: a local decision makes no lease object. */
export class LeaseCursor extends LeaseState {
    constructor() {
        super(...arguments);
        this.entry = -1;
        this.values = OVERFLOW;
        /** What is known of the whole counter, where this is a shard of one, or its anchor (R28). */
        this.split = undefined;
    }
    /** @param values those of the request, or {@link OVERFLOW}. */
    place(entry, segment, base, terms, values) {
        this.entry = entry;
        this.segment = segment;
        this.base = base;
        this.terms = terms;
        this.values = values;
        this.split = undefined;
    }
    /** The counter's name in the store; made anew each time. */
    get key() {
        return keyOf(this.terms, this.values);
    }
    get isLive() {
        return this.has(LIVE);
    }
    /** Is asked for as much as another counter: a shard serves the demand of the whole (R28). */
    serveDemandOf({ segment, base }) {
        for (const at of [DEMAND_NOW, DEMAND_BEFORE])
            this.segment.words[this.base + at] = segment.words[base + at] ?? 0;
    }
    /** Takes permits that are held, for a limit of this rule. */
    spend(applied, cost, nowMs) {
        const { base, terms, values } = this;
        const { words } = this.segment;
        words[base + BALANCE] = (words[base + BALANCE] ?? 0) - cost;
        const bucket = (words[base + BUCKET_HIGH] ?? 0) * 2 ** 32 + (words[base + BUCKET_LOW] ?? 0);
        const seen = this.split ?? this;
        return new LeasedOutcome(applied, seen.remainingHint(nowMs), seen.resetInMs(nowMs), terms, values, bucket, cost);
    }
    /** A lease object of the same entry. */
    toLease() {
        return new Lease(this.entry, this.key, this.segment, this.base, this.terms);
    }
}
//# sourceMappingURL=lease-cursor.js.map