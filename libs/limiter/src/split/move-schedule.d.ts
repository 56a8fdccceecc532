import type { Clock } from '../clock.js';
import type { Terms } from '../lease/terms.js';
import type { CounterStore } from '../store/counter-store.js';
import type { SplitPeriod } from './split-period.js';
export interface MoveScheduleParts {
    readonly store: CounterStore;
    readonly clock: Clock;
    readonly nodeId: string;
    /** Under which the store keeps what is split. */
    readonly key: string;
}
/**
 * Moves what is in use when a counter is split, and back when it is whole again. Every node that knows its limit would do it; the store gives each
 * step to the first that comes, so that it is done once.
 */
export declare class MoveSchedule {
    private readonly parts;
    private readonly terms;
    private readonly steps;
    constructor(parts: MoveScheduleParts);
    /** This node knows under which limit a counter is counted. */
    know(counter: string, terms: Terms, nowMs: number): void;
    tick(periods: Iterable<SplitPeriod>, storeMs: number): void;
    private look;
    private begin;
}
