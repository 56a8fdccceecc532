import type { Decision, PolicyOutcome } from './decision.js';
import type { LimiterStats } from './limiter-stats.js';
/** Puts the outcomes of requests together to decisions. All times are the node's clock. */
export declare class Decisions {
    private readonly stats;
    private readonly counted;
    /** Shared by the decisions of one ms: on a busy node by hundreds. */
    private moment;
    private nodeMs;
    private offsetMs;
    /** @param counted whether they are in the stats: not where they are parts of another one (R58). */
    constructor(stats: Pick<LimiterStats, 'storeOffsetMs' | 'decisions'>, counted: boolean);
    /** Of a request to which one limit applies. */
    ofOne(outcome: PolicyOutcome, cost: number, nowMs: number, snapshotVersion: number): Decision;
    ofAll(policies: readonly PolicyOutcome[], shadow: readonly PolicyOutcome[], cost: number, nowMs: number, snapshotVersion: number): Decision;
    /** The same decision, with what the rules in shadow would have said. */
    withShadow(enforced: Decision, shadow: readonly PolicyOutcome[]): Decision;
    private count;
    private momentOf;
}
