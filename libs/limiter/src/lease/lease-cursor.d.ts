import type { AppliedRule } from '@sluice/rules';
import { type CounterValues } from '../counter-name.js';
import type { SplitState } from '../split/split-state.js';
import { LeasedOutcome } from '../leased-outcome.js';
import { Lease } from './lease.js';
import { LeaseState } from './lease-state.js';
import type { Segment } from './segment.js';
import type { Terms } from './terms.js';
/** Stands on the entry of the request at hand, and on the next one's after it: a local decision makes no lease object. */
export declare class LeaseCursor extends LeaseState {
    entry: number;
    values: CounterValues;
    /** What is known of the whole counter, where this is a shard of one, or its anchor (R28). */
    split: SplitState | undefined;
    /** @param values those of the request, or {@link OVERFLOW}. */
    place(entry: number, segment: Segment, base: number, terms: Terms, values: CounterValues): void;
    /** The counter's name in the store; made anew each time. */
    get key(): string;
    get isLive(): boolean;
    /** Is asked for as much as another counter: a shard serves the demand of the whole (R28). */
    serveDemandOf({ segment, base }: LeaseCursor): void;
    /** Takes permits that are held, for a limit of this rule. */
    spend(applied: AppliedRule, cost: number, nowMs: number): LeasedOutcome;
    /** A lease object of the same entry. */
    toLease(): Lease;
}
