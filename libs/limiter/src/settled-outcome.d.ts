import type { AppliedRule } from '@sluice/rules';
import { AppliedOutcome } from './applied-outcome.js';
import type { Charge, DecisionReason, DecisionSource } from './decision.js';
/** Any outcome but that of a lease: {@link LeasedOutcome} is that. */
export declare class SettledOutcome extends AppliedOutcome {
    readonly reason: DecisionReason;
    readonly source: DecisionSource;
    private readonly waitMs;
    readonly charge: Charge | undefined;
    /** @param waitMs of what is allowed the delay, of what is refused the time until it would pass, or NEVER. */
    constructor(applied: AppliedRule, remaining: number, resetMs: number, reason: DecisionReason, source: DecisionSource, waitMs: number, charge: Charge | undefined);
    get allowed(): boolean;
    get retryMs(): number;
    get delayMs(): number;
}
