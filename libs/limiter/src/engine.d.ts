import type { RequestAttributes, RuleIndex } from '@sluice/rules';
import type { Refunds } from './approximate/refunds.js';
import type { Decision, PolicyOutcome } from './decision.js';
import { type EvaluatorParts } from './evaluator.js';
import type { Fleet } from './fleet/fleet.js';
import type { LimiterStats } from './limiter-stats.js';
import type { Limiter } from './limiter.js';
import type { Reservation, ReserveOptions } from './settlement/reservation.js';
import type { Settlement } from './settlement/settlement.js';
import { type Settlements } from './settlement/settlements.js';
import type { GiveBackQueue } from './trip/give-back-queue.js';
export interface EngineParts extends Omit<EvaluatorParts, 'decisions'> {
    readonly refunds: Refunds;
    readonly returns: GiveBackQueue;
    readonly stats: LimiterStats;
    readonly fleet: Fleet;
    readonly settlements: Settlements;
    readonly rules: RuleIndex;
}
type Outcomes = readonly PolicyOutcome[];
/** The limiter of one node: rules, then leases, then the store. Makes no promise where the permits are at hand. */
export declare class Engine implements Limiter {
    private readonly parts;
    private rules;
    private readonly decisions;
    private readonly evaluator;
    /** For groups of rules of which the decisions are put together to one. */
    private readonly uncounted;
    private readonly refunded;
    private closing;
    constructor(parts: EngineParts);
    use(rules: RuleIndex): void;
    check(attributes: RequestAttributes, cost?: number): Decision | Promise<Decision>;
    peek(attributes: RequestAttributes, cost?: number): Promise<Decision>;
    limits(attributes: RequestAttributes): Promise<Outcomes>;
    refund(decision: Decision): Promise<number>;
    reserve(attributes: RequestAttributes, estimate: number, options?: ReserveOptions): Promise<Reservation>;
    settle(id: string, actual: number): Promise<Settlement>;
    reset(attributes: RequestAttributes): Promise<void>;
    stats(): LimiterStats;
    close(): Promise<void>;
    private evaluate;
    /** Shadow rules are evaluated beside the enforced ones, each by itself: none of them changes the answer (R58). */
    private checkWithShadow;
    /** Peeks at every counter in one trip. Permits that this node holds are the caller's to spend, so they count as remaining. */
    private read;
    /** While the store is away a rule that allows is read where it is decided: in the fallback (R41). */
    private answerTo;
    private refundOne;
}
export {};
