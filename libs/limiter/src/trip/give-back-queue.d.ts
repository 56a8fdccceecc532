import type { LimiterStats } from '../limiter-stats.js';
import type { CounterStore, GiveBack } from '../store/counter-store.js';
/** Permits on their way back, off the request path: what one tick returns goes out in one trip. */
export declare class GiveBackQueue {
    private readonly store;
    private readonly stats;
    private queue;
    private sending;
    constructor(store: CounterStore, stats: LimiterStats);
    push(entry: GiveBack): void;
    /** Resolves when everything pushed so far has reached the store, or the store did not take it. */
    drained(): Promise<void>;
    private send;
}
