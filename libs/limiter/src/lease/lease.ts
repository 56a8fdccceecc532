import { NEVER, type Outcome, type Quota } from '@sluice/algorithms';
import type { CompiledRule } from '@sluice/rules';
import { isNear } from '../approximate/allowance.js';
import type { Credit } from '../approximate/credit.js';
import type { Passenger } from '../trip/passenger.js';
import { LAST_CALL, LIVE, MAX_WORD, NEAR } from './entry-words.js';
import { type LeasePlan, mostHeld } from './lease-sizing.js';
import { LeaseState } from './lease-state.js';
import { Segment } from './segment.js';
import type { Strategy } from './strategy.js';
import type { Terms } from './terms.js';

/** Most permits that a lease can hold. */
export const MAX_BALANCE = MAX_WORD;
/** Below this limit, or burst, 2 % is less than one permit, so pacing by T would refuse falsely: such a key waits exactly as long as the store says (R24). */
export const PACED_FROM_LIMIT = 50;

/** Who got so much of what it wanted asks again when that is spent. */
const GRANTED_WELL = 0.8;

/** Where a lease is whose counter was forgotten: it holds nothing and learns nothing. */
const NOWHERE = new Segment(0, () => 1, 1, 0);

/**
 * A counter that holds permits or waits for them: what the table does not know of it, its name above all. Exists while somebody is at work on
 * it or it holds something, and if it held something until the key was idle for a moment.
 */
export class Lease extends LeaseState {
  /** Whether a trip is in the air, and who waits for the one after it (R22). */
  flying = false;
  collecting: Passenger[] | undefined;
  /** Requests at work on it, and a trip that lands; it stays until they are through. */
  pins = 0;
  /** Under which its trips are counted: the key, of a shard that of the counter as a whole (R28). */
  counter: string;
  /** Waits in the idle wheel already. */
  watched = false;
  /** What it admits, or has admitted, before the store knows of it (R29). */
  credit: Credit | undefined;

  constructor(
    /** Its place in the table; -1 when it has lost it. */
    public entry: number,
    readonly key: string,
    segment: Segment,
    base: number,
    terms: Terms,
  ) {
    super(segment, base, terms);
    this.counter = key;
    this.mark(LIVE, true);
  }

  /** Whether the counter is to be asked, since it is near its limit; for `approximate`. */
  get near(): boolean {
    return this.has(NEAR);
  }

  set near(near: boolean) {
    this.mark(NEAR, near);
  }

  get rule(): CompiledRule {
    return this.terms.rule;
  }

  get quota(): Quota {
    return this.terms.quota;
  }

  get strategy(): Strategy {
    return this.terms.strategy;
  }

  /** Takes up what the store answered to an ask of (need, want) sent at `sentAtMs`; the grant itself is the flight's to share out. */
  learn(outcome: Outcome, need: number, want: number, plan: LeasePlan, sentAtMs: number, nowMs: number, storeOffsetMs: number): void {
    this.storeRemaining = outcome.remaining;
    if (this.strategy.approximate) this.near = isNear(this.quota, outcome.remaining, this.near);
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
  hold(bucket: number, endsAtMs: number): void {
    this.holdIn(bucket, endsAtMs);
  }

  /** Puts permits of a refused request back; false when their bucket is over, so that they have to go back to the store. */
  putBack(amount: number, bucket: number, nowMs: number): boolean {
    if (bucket !== this.bucket || nowMs >= this.endsAtMs || this.balance + amount > MAX_BALANCE) return false;
    this.balance += amount;
    return true;
  }

  /** The counter is gone from the table. Who is at work on it goes on with a copy, which nobody else sees. */
  loseEntry(): void {
    this.segment = this.pins > 0 ? this.segment.copyOf(this.base) : NOWHERE;
    this.base = 0;
    this.entry = -1;
  }

  /** The table alone knows the counter from now on. */
  retire(): void {
    this.mark(LIVE, false);
  }
}
