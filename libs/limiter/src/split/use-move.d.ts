import type { Quota } from '@sluice/algorithms';
import type { Counted, CounterStore } from '../store/counter-store.js';
/**
 * Moves what is in use from counters that are about to be left to those that take over. The first step comes before that, so that nobody finds those
 * empty; the second one after it moves what has come on top, and empties the old ones. So what is admitted too much is at most what was
 * admitted between the first step and the change.
 */
export declare class UseMove {
    private readonly store;
    private readonly sources;
    private readonly targets;
    /** That of the counter as a whole. */
    private readonly quota;
    private before;
    private readAtMs;
    constructor(store: CounterStore, sources: readonly Counted[], targets: readonly Counted[], 
    /** That of the counter as a whole. */
    quota: Quota);
    begin(): Promise<void>;
    finish(): Promise<void>;
    private read;
    /** A level drains meanwhile, where it came from and where it went. */
    private decayed;
    private get drains();
    private add;
}
