import { NEVER } from '@sluice/algorithms';
/** No outcomes at all: no rule applied, or none in shadow. */
export const NONE = Object.freeze([]);
/**
 * The decision of one request. What follows from the outcomes is worked out when somebody asks, and the list of a single one made then
 * (docs/adr/0016-decision-values.md). `JSON.stringify` writes all fields out; a spread does not.
 */
export class RequestDecision {
    /** @param all the enforced outcomes, `deciding` among them; undefined where it is the only one. */
    constructor(deciding, all, shadow, cost, moment) {
        this.deciding = deciding;
        this.all = all;
        this.shadow = shadow;
        this.cost = cost;
        this.moment = moment;
    }
    get policies() {
        this.all ??= this.deciding === undefined ? NONE : [this.deciding];
        return this.all;
    }
    get allowed() {
        return this.deciding === undefined || this.deciding.allowed;
    }
    get reason() {
        return this.deciding === undefined ? 'no_rule' : this.deciding.reason;
    }
    get retryAfterMs() {
        if (this.allowed)
            return undefined;
        let longest = 0;
        for (const { allowed, retryMs } of this.policies) {
            if (allowed)
                continue;
            // A violated policy that can never be met by waiting (R9).
            if (retryMs === NEVER)
                return undefined;
            longest = Math.max(longest, retryMs);
        }
        return longest;
    }
    get delayMs() {
        if (!this.allowed)
            return 0;
        let longest = 0;
        for (const { delayMs } of this.policies)
            longest = Math.max(longest, delayMs);
        return longest;
    }
    get nowMs() {
        return this.moment.nowMs;
    }
    get snapshotVersion() {
        return this.moment.snapshotVersion;
    }
    toJSON() {
        const { allowed, reason, deciding, policies, shadow, retryAfterMs, delayMs, cost, nowMs, snapshotVersion } = this;
        return { allowed, reason, deciding, policies, shadow, retryAfterMs, delayMs, cost, nowMs, snapshotVersion };
    }
}
//# sourceMappingURL=request-decision.js.map