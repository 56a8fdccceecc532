import type { AppliedRule } from '@sluice/rules';
import { AppliedOutcome } from './applied-outcome.js';
import type { CounterValues } from './counter-name.js';
import type { Charge, DecisionReason, DecisionSource } from './decision.js';
import type { Terms } from './lease/terms.js';
/** Admitted from permits that the node holds, as nearly every request is. */
export declare class LeasedOutcome extends AppliedOutcome {
    private readonly terms;
    private readonly values;
    private readonly amount;
    private readonly bucket;
    constructor(applied: AppliedRule, remaining: number, resetMs: number, terms: Terms, values: CounterValues, bucket: number, amount: number);
    get allowed(): boolean;
    get reason(): DecisionReason;
    get source(): DecisionSource;
    get retryMs(): number;
    get delayMs(): number;
    get charge(): Charge;
}
