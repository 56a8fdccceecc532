import type { AppliedRule } from '@sluice/rules';
import type { Clock } from './clock.js';
import type { PolicyOutcome } from './decision.js';
import type { Fallback } from './fallback.js';
import type { Lease } from './lease/lease.js';
import type { CounterStore } from './store/counter-store.js';
import type { ShardTour } from './split/shard-tour.js';
import type { TripCounts } from './split/trip-counts.js';
import type { Dispatcher } from './trip/dispatcher.js';
export interface AttemptParts {
    readonly clock: Clock;
    readonly store: CounterStore;
    readonly dispatcher: Dispatcher;
    readonly fallback: Fallback;
    /** Counts trips by counter (R28); absent: nobody asks. */
    readonly trips?: TripCounts | undefined;
}
/**
 * One request that needs at least one trip. Permits that the node holds are set aside first, so that nobody else spends them
 * meanwhile; then every limit that lacks some asks, all in one round trip. Allowed only if all grant; otherwise what was
 * granted stays with the node or goes back, and nothing is charged (R8).
 */
export declare class Attempt {
    private readonly parts;
    private readonly cost;
    private readonly done;
    private readonly seats;
    private missing;
    /** @param done called once, with an outcome for each rule; within {@link start} if no trip has to be waited for. */
    constructor(parts: AttemptParts, applied: readonly AppliedRule[], leases: readonly Lease[], tours: readonly (ShardTour | undefined)[], cost: number, done: (policies: readonly PolicyOutcome[], nowMs: number) => void);
    start(nowMs: number): void;
    /** Takes permits that are held. */
    private spends;
    private board;
    /** Settles the seat, unless another shard of its counter may say otherwise (R28). */
    private land;
    /** Undefined when the seat goes on to another shard. */
    private toured;
    /** Several exact limits: one atomic step over all of them, so that a refusal charges none even for an instant. */
    private askTogether;
    /** What the store says of the counter, unless its rule has changed meanwhile so that other answers say more. */
    private learn;
    private landingOf;
    private settle;
    private outcome;
    /** R41: the rule says whether the node goes on by itself or refuses. */
    private withoutStore;
}
