import type { AppliedRule } from '@sluice/rules';
import type { Charge, DecisionSource, PolicyOutcome } from './decision.js';
import type { LeaseState } from './lease/lease-state.js';
/** What a node can see of a counter: of one, or of all shards of one (R28). */
export type Seen = Pick<LeaseState, 'remainingHint' | 'resetInMs'>;
/** The store is away, and the rule refuses without it (R41). */
export declare function storeAway(applied: AppliedRule): PolicyOutcome;
/** Granted; `charge` is absent when it was not charged after all, since another limit refuses. */
export declare function granted(applied: AppliedRule, seen: Seen, source: DecisionSource, charge: Charge | undefined, delayMs: number, nowMs: number): PolicyOutcome;
/** Refused for now: the caller may come back after `retryMs`, and is shown less than it asked for. */
export declare function refused(applied: AppliedRule, seen: Seen, source: DecisionSource, cost: number, retryMs: number, nowMs: number): PolicyOutcome;
/** A cost that never passes, however long one waits (R9). */
export declare function tooCostly(applied: AppliedRule, seen: Seen, nowMs: number): PolicyOutcome;
