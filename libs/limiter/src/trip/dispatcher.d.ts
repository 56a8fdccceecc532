import type { Credits } from '../approximate/credits.js';
import type { Clock } from '../clock.js';
import type { LeaseSizing } from '../lease/lease-sizing.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import { type Lease } from '../lease/lease.js';
import type { Standing } from '../lease/lease-state.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { Answer, Ask, CounterStore } from '../store/counter-store.js';
import type { TripCounts } from '../split/trip-counts.js';
import type { GiveBackQueue } from './give-back-queue.js';
import type { Passenger } from './passenger.js';
export interface DispatcherParts {
    readonly store: CounterStore;
    readonly clock: Clock;
    readonly sizing: LeaseSizing;
    readonly wheel: IdleWheel;
    readonly returns: GiveBackQueue;
    readonly credits: Credits;
    readonly stats: LimiterStats;
    /** Counts trips by counter; absent: nobody asks. */
    readonly trips?: TripCounts | undefined;
    /** Ceiling of a lease where the rule names none. */
    readonly maxLease: number;
}
/**
 * Brings requests that need permits to the store: one trip a key at a time, shared by all who wait (single flight), and all
 * trips of one tick in one round trip (R22). Whoever comes while a trip is in the air takes the next one, if what came back
 * does not serve them; so no request takes part in two asks of one counter (R21).
 */
export declare class Dispatcher {
    private readonly parts;
    private ready;
    private flushDue;
    /** Trips in the air, and who waits for the next one to land. */
    private out;
    private landed;
    private closed;
    private readonly ask;
    private readonly unspent;
    constructor(parts: DispatcherParts);
    /** What a lease can say of this cost, with what it may admit on credit (R29). */
    standing(lease: Lease, cost: number, nowMs: number): Standing;
    /** Calls `passenger.land` exactly once: at once on a store at hand, else when the trip is back. */
    board(lease: Lease, passenger: Passenger): void;
    /** Several counters in one atomic step, all or none; shares no trip with others (R8). */
    askTogether(asks: readonly Ask[]): Promise<readonly Answer[]>;
    /** Reads counters in one trip; nothing is charged. */
    read(asks: readonly Ask[]): Promise<readonly Answer[]>;
    /** Waits for every trip in the air, not for reads that come later; from then on nothing is held (R44). */
    close(): Promise<void>;
    /** @param awaited whether {@link close} waits for it. */
    private track;
    private count;
    private touchDown;
    private depart;
    private flush;
    /** A flight that does not take off: everybody hears of the fault, and nobody has waited for it. */
    private ground;
    /** Closes a flight to newcomers and settles what it asks for. */
    private checkIn;
    private land;
    private shareOut;
    /** {@link Unspent.keep}. */
    keep(lease: Lease, amount: number, bucket: number, nowMs: number, spentAtMs?: number): void;
    /** {@link Unspent.returnBalance}. */
    returnBalance(lease: Lease): void;
    private serveCollected;
}
