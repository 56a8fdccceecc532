import type { Clock } from '../clock.js';
import type { Decision } from '../decision.js';
import type { LimiterStats } from '../limiter-stats.js';
import { type AdjustParts } from './adjust.js';
import type { Reservation, ReserveOptions } from './reservation.js';
import { type Settlement } from './settlement.js';
export interface SettlementsParts extends AdjustParts {
    readonly clock: Clock;
    readonly stats: LimiterStats;
    readonly keyPrefix: string;
}
/**
 * Costs that are known only afterwards (R14): what was reserved is settled once, by whichever node claims the record first, and the
 * difference goes back to where it was charged, or is charged as debt.
 */
export declare class Settlements {
    private readonly parts;
    private readonly here;
    /** By reservation: the claimant whose claim was not answered. It may have got the record, so it has to be the one that asks again. */
    private readonly unanswered;
    /** By reservation: the settlement under way. Two claimants of one node would not know which of them has the record, if neither is answered. */
    private readonly underWay;
    constructor(parts: SettlementsParts);
    /** Keeps what a decision charged until it is settled: in the store, else in this node. */
    reserve(decision: Decision, { ttlMs }: ReserveOptions): Promise<Reservation>;
    /** Settles a reservation, if nobody has (see {@link Settlement}). */
    settle(id: string, actual: number): Promise<Settlement>;
    private settleAlone;
    private claim;
    private apply;
}
/** @throws RangeError for what is no estimate of at least one permit, or no time to live. */
export declare function requireReservable(estimate: number, { ttlMs }: ReserveOptions): void;
/** @throws RangeError for what is no amount of permits. */
export declare function requireActual(actual: number): void;
