import type { AppliedRule } from '@sluice/rules';
import type { AttemptParts } from './attempt.js';
import type { Decision } from './decision.js';
import type { Decisions } from './decisions.js';
import type { Lease } from './lease/lease.js';
import type { Landing, Passenger } from './trip/passenger.js';
/** A request to which one limit applies and that needs a trip: an attempt as most are, which has nobody to wait for or to give back to. */
export declare class SoloAttempt implements Passenger {
    private readonly parts;
    private readonly applied;
    private readonly lease;
    readonly cost: number;
    private readonly snapshotVersion;
    private settled;
    private resolve;
    constructor(parts: AttemptParts & {
        readonly decisions: Decisions;
    }, applied: AppliedRule, lease: Lease, cost: number, snapshotVersion: number);
    /** At once where no trip has to be waited for. */
    start(): Decision | Promise<Decision>;
    land(landing: Landing): void;
    private outcome;
}
