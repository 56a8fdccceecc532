import { NEVER } from '@sluice/algorithms';
import { isNear } from '../approximate/allowance.js';
import { LAST_CALL, LIVE, MAX_WORD, NEAR } from './entry-words.js';
import { mostHeld } from './lease-sizing.js';
import { LeaseState } from './lease-state.js';
import { Segment } from './segment.js';
/** Most permits that a lease can hold. */
export const MAX_BALANCE = MAX_WORD;
/** Below this limit, or burst, 2 % is less than one permit, so pacing by T would refuse falsely: such a key waits exactly as long as the store says (R24). */
export const PACED_FROM_LIMIT = 50;
/** Who got so much of what it wanted asks again when that is spent. */
const GRANTED_WELL = 0.8;
/** Where a lease is whose counter was forgotten: it holds nothing and learns nothing. */
const NOWHERE = new Segment(0, () => 1, 1, 0);
/**
 * A counter that holds permits or waits for them: what the table does not know of it, its name above all. Exists from the first trip on
 * until the key was idle for a moment, so there are as many as keys were asked for lately, and no more.
 */
export class Lease extends LeaseState {
    constructor(
    /** Its place in the table; -1 when it has lost it. */
    entry, key, segment, base, terms) {
        super(segment, base, terms);
        this.entry = entry;
        this.key = key;
        /** Whether a trip is in the air, and who waits for the one after it (R22). */
        this.flying = false;
        /** Requests at work on it; it stays until they are through. */
        this.pins = 0;
        /** Waits in the idle wheel already. */
        this.watched = false;
        this.counter = key;
        this.mark(LIVE, true);
    }
    /** Whether the counter is to be asked, since it is near its limit; for `approximate`. */
    get near() {
        return this.has(NEAR);
    }
    set near(near) {
        this.mark(NEAR, near);
    }
    get rule() {
        return this.terms.rule;
    }
    get quota() {
        return this.terms.quota;
    }
    get strategy() {
        return this.terms.strategy;
    }
    /** Takes up what the store answered to an ask of (need, want) sent at `sentAtMs`; the grant itself is the flight's to share out. */
    learn(outcome, need, want, plan, sentAtMs, nowMs, storeOffsetMs) {
        this.storeRemaining = outcome.remaining;
        if (this.strategy.approximate)
            this.near = isNear(this.quota, outcome.remaining, this.near);
        // By the store's clock, so that a window that ends on the second is said to end on it.
        this.resetAtMs = outcome.nowMs + outcome.resetMs - storeOffsetMs;
        // In whole ms the question seems sent up to 1 ms later than it was decided, and a lease must not end later than its bucket (R23).
        this.holdIn(outcome.bucket, sentAtMs + outcome.bucketEndsInMs - 1);
        const { limit, burst } = this.quota;
        // Who asks every time is told what the store says: no pace of leases is in it.
        const pacing = Math.min(limit, burst) >= PACED_FROM_LIMIT && this.strategy.leases;
        const well = outcome.granted >= want * GRANTED_WELL;
        this.feel(well, plan.eases);
        const lastCall = pacing && plan.lastCall && outcome.remaining < mostHeld(this.quota);
        // Also a grant in full may leave less than the next one needs, and says until when.
        if (outcome.retryMs === NEVER || (outcome.remaining >= need && !lastCall)) {
            this.forgetDryness();
            return;
        }
        const retryMs = pacing && outcome.retryMs >= outcome.bucketEndsInMs ? outcome.retryMs + plan.jitterMs : outcome.retryMs;
        const paceMs = pacing && (lastCall || !well) ? plan.paceMs : 0;
        this.refuse(need, nowMs + Math.ceil(Math.max(retryMs, paceMs)), nowMs);
        this.mark(LAST_CALL, lastCall);
    }
    /** The bucket that what it spends is charged to, and until when it may be spent. */
    hold(bucket, endsAtMs) {
        this.holdIn(bucket, endsAtMs);
    }
    /** Puts permits of a refused request back; false when their bucket is over, so that they have to go back to the store. */
    putBack(amount, bucket, nowMs) {
        if (bucket !== this.bucket || nowMs >= this.endsAtMs || this.balance + amount > MAX_BALANCE)
            return false;
        this.balance += amount;
        return true;
    }
    /** The counter is gone from the table. Who is at work on it goes on with a copy, which nobody else sees. */
    loseEntry() {
        this.segment = this.pins > 0 ? this.segment.copyOf(this.base) : NOWHERE;
        this.base = 0;
        this.entry = -1;
    }
    /** The table alone knows the counter from now on. */
    retire() {
        this.mark(LIVE, false);
    }
}
//# sourceMappingURL=lease.js.map