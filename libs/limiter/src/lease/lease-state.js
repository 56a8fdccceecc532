import { SPAN_MS, spanOf } from './demand-span.js';
import { BALANCE, BUCKET_HIGH, BUCKET_LOW, DEMAND_BEFORE, DEMAND_NOW, DRY_NEED, DRY_UNTIL, ENDS_AT, KIND_AND_FLAGS, LAST_CALL, LAST_USED, MAX_WORD, PRESSURE_BITS, PRESSURE_SHIFT, RESET_AT, SCALE, SCALED, STORE_REMAINING, WIDE, } from './entry-words.js';
import { mostHeld } from './lease-sizing.js';
/** A pace that ended before its bucket did comes out so much later than that end as it was earlier, times this. */
const MIRROR = 2.5;
/** Pressure rises faster than it falls: at 150 % load most asks are served well. */
const PRESSURE_RISE = 3;
/**
 * What a node knows of one counter: the permits it took and has not spent, how long they are good, and until when the store is known to
 * refuse. All times are the node's clock, ms. The numbers are in the table; this reads and writes them there.
 */
export class LeaseState {
    constructor(segment, base, terms) {
        this.segment = segment;
        this.base = base;
        this.terms = terms;
        /** Ms between the use at hand and the one before it; the table keeps the latter alone. */
        this.pauseMs = 0;
    }
    get balance() {
        return this.word(BALANCE);
    }
    set balance(permits) {
        this.segment.words[this.base + BALANCE] = permits;
    }
    get bucket() {
        return this.word(BUCKET_HIGH) * 2 ** 32 + this.word(BUCKET_LOW);
    }
    /** Permits are good before this instant: never beyond the bucket they were charged to (R23). */
    get endsAtMs() {
        return this.timeOf(ENDS_AT);
    }
    /** When the counter will be wholly free. */
    get resetAtMs() {
        return this.timeOf(RESET_AT);
    }
    set resetAtMs(atMs) {
        this.segment.words[this.base + RESET_AT] = Math.min(MAX_WORD, Math.max(0, Math.ceil(this.unitsTo(atMs))));
    }
    get lastUsedMs() {
        return this.segment.epochMs + this.word(LAST_USED);
    }
    /** What the store had left when it last answered. */
    get storeRemaining() {
        const word = this.word(STORE_REMAINING);
        return this.has(SCALED) ? word * SCALE : word;
    }
    set storeRemaining(permits) {
        const scaled = permits > MAX_WORD;
        this.mark(SCALED, scaled);
        this.segment.words[this.base + STORE_REMAINING] = scaled ? Math.floor(permits / SCALE) : permits;
    }
    standing(cost, nowMs) {
        const { words, epochMs } = this.segment;
        const balance = words[this.base + BALANCE] ?? 0;
        if (balance > 0) {
            const good = nowMs - epochMs < (words[this.base + ENDS_AT] ?? 0) * this.terms.kind.unitMs;
            if (good && balance >= cost)
                return 'held';
            // With what goes back there is enough for it, whatever pace the node keeps.
            if (good && balance + this.storeRemaining >= cost)
                return 'ask';
            // Unspent permits that ran out go back with the next ask, and the store can grant again what it was dry of.
            // A node that keeps a pace there leaves that to the others: all of them stand at the end of the bucket at once (R26).
            if (!good && !this.has(LAST_CALL))
                return 'ask';
        }
        return this.waitMs(cost, nowMs) > 0 ? 'dry' : 'ask';
    }
    /** How long the store is known to refuse this cost, ms; 0 when that is not known. A greater cost may have to wait for longer. */
    waitMs(cost, nowMs) {
        if (this.word(DRY_UNTIL) === 0)
            return 0;
        const waitMs = this.dryUntilMs(nowMs) - nowMs;
        const need = this.word(DRY_NEED);
        if (waitMs <= 0 || cost < need)
            return 0;
        if (cost === need)
            return waitMs;
        const wide = this.has(WIDE) ? this.segment.wide.get(this.base) : undefined;
        return wide !== undefined && cost <= wide.need ? Math.max(0, wide.untilMs - nowMs) : 0;
    }
    /** A node that held permits to the end of the bucket comes back late as well, though its pace is over (R26). */
    dryUntilMs(nowMs) {
        const untilMs = this.timeOf(DRY_UNTIL);
        if (!this.has(LAST_CALL))
            return untilMs;
        const { endsAtMs } = this;
        return nowMs >= endsAtMs && untilMs < endsAtMs ? endsAtMs + Math.ceil(MIRROR * (endsAtMs - untilMs)) : untilMs;
    }
    /** Permits of this node went back: the store may grant again, but who keeps a pace at the end of a bucket keeps it. */
    makeRoom() {
        if (!this.has(LAST_CALL))
            this.forgetDryness();
    }
    /** Permits came back, or the quota is another: the store may grant again. */
    forgetDryness() {
        this.segment.words[this.base + DRY_UNTIL] = 0;
        this.mark(LAST_CALL, false);
        if (!this.has(WIDE))
            return;
        this.segment.wide.delete(this.base);
        this.mark(WIDE, false);
    }
    /**
     * Takes up other terms. Under another quota, or asked in another way, nothing learnt before holds, and unspent permits go back with the next
     * ask; the same terms re-sent change nothing (R61).
     */
    adopt(terms) {
        const { resetAtMs } = this;
        const same = this.terms.kind === terms.kind;
        this.terms = terms;
        if (same)
            return;
        this.forgetDryness();
        this.segment.words[this.base + ENDS_AT] = 0;
        this.storeRemaining = 0;
        this.resetAtMs = resetAtMs;
    }
    /** Permits this node can see: its own, and what the store had left. A hint (R70). */
    remainingHint(nowMs) {
        const { burst } = this.terms.quota;
        if (this.resetInMs(nowMs) <= 0)
            return burst;
        const { words, epochMs } = this.segment;
        const held = nowMs - epochMs < (words[this.base + ENDS_AT] ?? 0) * this.terms.kind.unitMs ? (words[this.base + BALANCE] ?? 0) : 0;
        return Math.min(held + this.storeRemaining, burst);
    }
    /** Until the counter will be wholly free, ms; below 0 when it is. */
    resetInMs(nowMs) {
        const { words, epochMs } = this.segment;
        return (words[this.base + RESET_AT] ?? 0) * this.terms.kind.unitMs - (nowMs - epochMs);
    }
    /** A request for so many permits came: when, and how busy the key is, by two buckets of {@link SPAN_MS} and no timer. */
    use(cost, nowMs) {
        const { segment, base } = this;
        segment.rebaseIfDue(nowMs);
        const { words } = segment;
        const sinceMs = Math.max(0, nowMs - segment.epochMs);
        const beforeMs = words[base + LAST_USED] ?? 0;
        this.pauseMs = sinceMs - beforeMs;
        const passed = spanOf(sinceMs) - spanOf(beforeMs);
        const now = words[base + DEMAND_NOW] ?? 0;
        if (passed !== 0)
            words[base + DEMAND_BEFORE] = passed === 1 ? now : 0;
        words[base + DEMAND_NOW] = Math.min(MAX_WORD, passed === 0 ? now + cost : cost);
        words[base + LAST_USED] = sinceMs;
    }
    /** What is known when `waiting` permits are about to be asked for. */
    situation(waiting, nowMs) {
        const { quota, whole } = this.terms;
        const inBucket = nowMs < this.endsAtMs && (quota.algorithm === 'sliding_counter' || quota.algorithm === 'fixed_window');
        return {
            quota: whole,
            ratePerMs: this.ratePerMs(waiting, nowMs),
            leftMs: inBucket ? this.endsAtMs - nowMs : Infinity,
            tight: this.storeRemaining < mostHeld(quota),
            pressure: (this.word(KIND_AND_FLAGS) >>> PRESSURE_SHIFT) & PRESSURE_BITS,
        };
    }
    /** The key's own arrival rate on this node, permits per ms, without those that wait: they are the requests at hand, not what is ahead. */
    ratePerMs(waiting, nowMs) {
        const { segment, base } = this;
        const { words } = segment;
        const sinceMs = Math.max(0, nowMs - segment.epochMs);
        const passed = spanOf(sinceMs) - spanOf(words[base + LAST_USED] ?? 0);
        if (passed < 0 || passed > 1)
            return 0;
        const current = passed === 0 ? (words[base + DEMAND_NOW] ?? 0) : 0;
        const before = passed === 0 ? (words[base + DEMAND_BEFORE] ?? 0) : (words[base + DEMAND_NOW] ?? 0);
        const overlap = 1 - (sinceMs % SPAN_MS) / SPAN_MS;
        return Math.max(0, before * overlap + current - waiting) / SPAN_MS;
    }
    /** The bucket that permits come from, and when it ends: rounded down, since a lease must end no later (R23). */
    holdIn(bucket, endsAtMs) {
        const { words } = this.segment;
        words[this.base + BUCKET_HIGH] = Math.floor(bucket / 2 ** 32);
        words[this.base + BUCKET_LOW] = bucket % 2 ** 32;
        words[this.base + ENDS_AT] = Math.min(MAX_WORD, Math.max(0, Math.floor(this.unitsTo(endsAtMs))));
    }
    /**
     * The store refuses a cost of `need` until then. A greater cost than one that is refused already has its own, longer wait. A refusal that
     * does not fit is not remembered, so the store is asked again: never a wait that is too short.
     */
    refuse(need, untilMs, nowMs) {
        const knownUntilMs = this.timeOf(DRY_UNTIL);
        if (nowMs < knownUntilMs && need > this.word(DRY_NEED)) {
            this.segment.wide.set(this.base, { need, untilMs: Math.max(untilMs, knownUntilMs) });
            this.mark(WIDE, true);
            return;
        }
        const until = Math.ceil(this.unitsTo(untilMs));
        const fits = need <= MAX_WORD && until <= MAX_WORD;
        this.segment.words[this.base + DRY_UNTIL] = fits ? Math.max(0, until) : 0;
        this.segment.words[this.base + DRY_NEED] = fits ? need : 0;
    }
    /** Takes note of how well the store served. */
    feel(well, eases) {
        const at = this.base + KIND_AND_FLAGS;
        const word = this.segment.words[at] ?? 0;
        const pressure = (word >>> PRESSURE_SHIFT) & PRESSURE_BITS;
        const felt = well ? Math.max(0, pressure - (eases ? 1 : 0)) : Math.min(PRESSURE_BITS, pressure + PRESSURE_RISE);
        this.segment.words[at] = ((word & ~(PRESSURE_BITS << PRESSURE_SHIFT)) | (felt << PRESSURE_SHIFT)) >>> 0;
    }
    mark(flag, on) {
        const at = this.base + KIND_AND_FLAGS;
        const word = this.segment.words[at] ?? 0;
        this.segment.words[at] = (on ? word | flag : word & ~flag) >>> 0;
    }
    has(flag) {
        return (this.word(KIND_AND_FLAGS) & flag) !== 0;
    }
    word(at) {
        return this.segment.words[this.base + at] ?? 0;
    }
    timeOf(at) {
        return this.segment.epochMs + this.word(at) * this.terms.kind.unitMs;
    }
    unitsTo(atMs) {
        return (atMs - this.segment.epochMs) / this.terms.kind.unitMs;
    }
}
//# sourceMappingURL=lease-state.js.map