import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Credits } from './approximate/credits.js';
import { type AttemptParts } from './attempt.js';
import type { Decision } from './decision.js';
import type { Decisions } from './decisions.js';
import type { Leases } from './lease/leases.js';
import type { Rechecks } from './lease/rechecks.js';
export interface EvaluatorParts extends AttemptParts {
    readonly leases: Leases;
    readonly credits: Credits;
    readonly rechecks: Rechecks;
    readonly decisions: Decisions;
}
/**
 * Evaluates the limits of one request, all or none (R8). At once when every permit is at hand or one limit is known to
 * refuse; else by an {@link Attempt}.
 */
export declare class Evaluator {
    private readonly parts;
    /** Where the limits of the request at hand stand; used anew by each, so that a local decision allocates nothing but its answer. */
    private readonly located;
    readonly decisions: Decisions;
    constructor(parts: EvaluatorParts);
    evaluate(applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number, nowMs: number, snapshotVersion: number): Decision | Promise<Decision>;
    /** A trip is due: whether a counter that this node took for whole is split by now (R28). */
    private meetsSplit;
    /** Every permit is at hand. Nearly every request comes here, so it does not take the general way. */
    private spend;
    /** By itself: a function with a closure in it pays for that also where the closure is not made. */
    private spendAll;
    /**
     * One limit is known to refuse, so nothing is charged and no lease asks. Limits that are asked every time are read, in one trip: without
     * them the wait could be too short (R70).
     */
    private refuse;
    private unread;
    /** @param onCredit whether what lacks may be admitted before the store knows (R29). */
    private attempt;
    /** An outcome for each applied rule, from where it stands. */
    private outcomes;
}
