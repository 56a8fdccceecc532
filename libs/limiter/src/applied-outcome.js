import { unboxed } from './unboxed.js';
/**
 * What came of one limit: what the rule says of it is read from the rule. A decision allocates little so (docs/adr/0016-decision-values.md).
 * `JSON.stringify` writes all fields out; a spread does not.
 */
export class AppliedOutcome {
    constructor(applied, remaining, resetMs) {
        this.applied = applied;
        this.remaining = unboxed(Math.max(0, remaining));
        this.resetMs = unboxed(Math.max(0, resetMs));
    }
    get policy() {
        return this.applied.rule.policy;
    }
    get ruleId() {
        return this.applied.rule.ruleId;
    }
    get ruleVersion() {
        return this.applied.rule.version;
    }
    get limit() {
        return this.applied.quota.limit;
    }
    get windowMs() {
        return this.applied.quota.windowMs;
    }
    get overrideId() {
        return this.applied.overrideId;
    }
    toJSON() {
        const { policy, ruleId, ruleVersion, allowed, limit, windowMs, remaining, resetMs, retryMs, source, reason, overrideId, charge, delayMs } = this;
        return { policy, ruleId, ruleVersion, allowed, limit, windowMs, remaining, resetMs, retryMs, source, reason, overrideId, charge, delayMs };
    }
}
//# sourceMappingURL=applied-outcome.js.map