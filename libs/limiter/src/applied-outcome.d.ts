import type { AppliedRule } from '@sluice/rules';
import type { Charge, DecisionReason, DecisionSource, PolicyOutcome } from './decision.js';
/**
 * What came of one limit: what the rule says of it is read from the rule. A decision allocates little so (docs/adr/0016-decision-values.md).
 * `JSON.stringify` writes all fields out; a spread does not.
 */
export declare abstract class AppliedOutcome implements PolicyOutcome {
    private readonly applied;
    readonly remaining: number;
    readonly resetMs: number;
    constructor(applied: AppliedRule, remaining: number, resetMs: number);
    abstract readonly allowed: boolean;
    abstract readonly retryMs: number;
    abstract readonly source: DecisionSource;
    abstract readonly reason: DecisionReason;
    abstract readonly charge: Charge | undefined;
    abstract readonly delayMs: number;
    get policy(): string;
    get ruleId(): string;
    get ruleVersion(): number;
    get limit(): number;
    get windowMs(): number;
    get overrideId(): string | undefined;
    toJSON(): PolicyOutcome;
}
