import { NEVER } from '@sluice/algorithms';
import { NONE, RequestDecision } from './request-decision.js';
/** Puts the outcomes of requests together to decisions. All times are the node's clock. */
export class Decisions {
    /** @param counted whether they are in the stats: not where they are parts of another one (R58). */
    constructor(stats, counted) {
        this.stats = stats;
        this.counted = counted;
        /** Shared by the decisions of one ms: on a busy node by hundreds. */
        this.moment = { nowMs: 0, snapshotVersion: 0 };
        this.nodeMs = -1;
        this.offsetMs = 0;
    }
    /** Of a request to which one limit applies. */
    ofOne(outcome, cost, nowMs, snapshotVersion) {
        this.count(outcome.source);
        return new RequestDecision(outcome, undefined, NONE, cost, this.momentOf(nowMs, snapshotVersion));
    }
    ofAll(policies, shadow, cost, nowMs, snapshotVersion) {
        const deciding = decidingOf(policies);
        this.count(deciding === undefined ? 'none' : deciding.source);
        return new RequestDecision(deciding, policies, shadow, cost, this.momentOf(nowMs, snapshotVersion));
    }
    /** The same decision, with what the rules in shadow would have said. */
    withShadow(enforced, shadow) {
        const { deciding, policies, cost } = enforced;
        this.count(deciding === undefined ? 'none' : deciding.source);
        return new RequestDecision(deciding, policies, shadow, cost, enforced);
    }
    count(source) {
        if (!this.counted)
            return;
        const { decisions } = this.stats;
        // By name where it is nearly always: a look-up by a variable name costs a tenth of the decision.
        if (source === 'local')
            decisions.local += 1;
        else
            decisions[source] += 1;
    }
    momentOf(nodeMs, snapshotVersion) {
        const { storeOffsetMs } = this.stats;
        if (nodeMs !== this.nodeMs || storeOffsetMs !== this.offsetMs || snapshotVersion !== this.moment.snapshotVersion) {
            this.nodeMs = nodeMs;
            this.offsetMs = storeOffsetMs;
            this.moment = { nowMs: nodeMs + storeOffsetMs, snapshotVersion };
        }
        return this.moment;
    }
}
/** The policy that denies for the longest, or the one with the fewest permits left. */
function decidingOf(policies) {
    let deciding;
    for (const policy of policies) {
        if (deciding === undefined || isTighter(policy, deciding))
            deciding = policy;
    }
    return deciding;
}
function isTighter(a, b) {
    if (a.allowed !== b.allowed)
        return !a.allowed;
    if (a.allowed)
        return a.remaining < b.remaining;
    if (b.retryMs === NEVER)
        return false;
    return a.retryMs === NEVER || a.retryMs > b.retryMs;
}
//# sourceMappingURL=decisions.js.map