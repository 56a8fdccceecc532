import type { CompiledRule } from '@sluice/rules';
/** How a rule's counters are asked. */
export interface Strategy {
    /** Permits may be held beyond the request that asked for them. */
    readonly leases: boolean;
    /** Requests may share a trip. */
    readonly shares: boolean;
    /** Far from the limit requests are admitted before the store knows of them (R29). */
    readonly approximate: boolean;
}
/**
 * A sliding log is chosen for its exactness, so it is never leased. A shaper gives each request its own delay and a rule that
 * charges denials has to see each of them: those neither lease nor share a trip.
 */
export declare function strategyOf(rule: CompiledRule): Strategy;
