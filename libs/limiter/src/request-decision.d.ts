import type { Decision, DecisionReason, PolicyOutcome } from './decision.js';
/** No outcomes at all: no rule applied, or none in shadow. */
export declare const NONE: readonly PolicyOutcome[];
/** What decisions of one instant have in common. */
export interface Moment {
    /** By the store's clock. */
    readonly nowMs: number;
    readonly snapshotVersion: number;
}
/**
 * The decision of one request. What follows from the outcomes is worked out when somebody asks, and the list of a single one made then
 * (docs/adr/0016-decision-values.md). `JSON.stringify` writes all fields out; a spread does not.
 */
export declare class RequestDecision implements Decision {
    readonly deciding: PolicyOutcome | undefined;
    private all;
    readonly shadow: readonly PolicyOutcome[];
    readonly cost: number;
    private readonly moment;
    /** @param all the enforced outcomes, `deciding` among them; undefined where it is the only one. */
    constructor(deciding: PolicyOutcome | undefined, all: readonly PolicyOutcome[] | undefined, shadow: readonly PolicyOutcome[], cost: number, moment: Moment);
    get policies(): readonly PolicyOutcome[];
    get allowed(): boolean;
    get reason(): DecisionReason;
    get retryAfterMs(): number | undefined;
    get delayMs(): number;
    get nowMs(): number;
    get snapshotVersion(): number;
    toJSON(): Decision;
}
