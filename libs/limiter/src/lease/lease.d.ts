import { type Outcome, type Quota } from '@sluice/algorithms';
import type { CompiledRule } from '@sluice/rules';
import type { Credit } from '../approximate/credit.js';
import type { Passenger } from '../trip/passenger.js';
import { type LeasePlan } from './lease-sizing.js';
import { LeaseState } from './lease-state.js';
import { Segment } from './segment.js';
import type { Strategy } from './strategy.js';
import type { Terms } from './terms.js';
/** Most permits that a lease can hold. */
export declare const MAX_BALANCE = 4294967295;
/** Below this limit, or burst, 2 % is less than one permit, so pacing by T would refuse falsely: such a key waits exactly as long as the store says (R24). */
export declare const PACED_FROM_LIMIT = 50;
/**
 * A counter that holds permits or waits for them: what the table does not know of it, its name above all. Exists from the first trip on
 * until the key was idle for a moment, so there are as many as keys were asked for lately, and no more.
 */
export declare class Lease extends LeaseState {
    /** Its place in the table; -1 when it has lost it. */
    entry: number;
    readonly key: string;
    /** Whether a trip is in the air, and who waits for the one after it (R22). */
    flying: boolean;
    collecting: Passenger[] | undefined;
    /** Requests at work on it; it stays until they are through. */
    pins: number;
    /** Under which its trips are counted: the key, of a shard that of the counter as a whole (R28). */
    counter: string;
    /** Waits in the idle wheel already. */
    watched: boolean;
    /** What it admits, or has admitted, before the store knows of it (R29). */
    credit: Credit | undefined;
    constructor(
    /** Its place in the table; -1 when it has lost it. */
    entry: number, key: string, segment: Segment, base: number, terms: Terms);
    /** Whether the counter is to be asked, since it is near its limit; for `approximate`. */
    get near(): boolean;
    set near(near: boolean);
    get rule(): CompiledRule;
    get quota(): Quota;
    get strategy(): Strategy;
    /** Takes up what the store answered to an ask of (need, want) sent at `sentAtMs`; the grant itself is the flight's to share out. */
    learn(outcome: Outcome, need: number, want: number, plan: LeasePlan, sentAtMs: number, nowMs: number, storeOffsetMs: number): void;
    /** The bucket that what it spends is charged to, and until when it may be spent. */
    hold(bucket: number, endsAtMs: number): void;
    /** Puts permits of a refused request back; false when their bucket is over, so that they have to go back to the store. */
    putBack(amount: number, bucket: number, nowMs: number): boolean;
    /** The counter is gone from the table. Who is at work on it goes on with a copy, which nobody else sees. */
    loseEntry(): void;
    /** The table alone knows the counter from now on. */
    retire(): void;
}
