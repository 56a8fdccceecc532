import type { Outcome } from '@sluice/algorithms';
import type { Clock } from '../clock.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { CounterStore, Debit } from '../store/counter-store.js';
import type { Credit } from './credit.js';
export interface ReportsParts {
    readonly store: CounterStore;
    readonly clock: Clock;
    readonly stats: LimiterStats;
    /** A report is over; without an answer it is owed again. */
    readonly landed: (credit: Credit, answer: Outcome | undefined, debit: Debit, sentAtMs: number) => void;
}
/** What nodes admitted on credit, on its way to the store, off the request path: what one tick reports goes out together. */
export declare class Reports {
    private readonly parts;
    private queue;
    private inAir;
    private stopped;
    constructor(parts: ReportsParts);
    /** At the end of this tick, unless one of it is in the air; what its lease spends until then is in it. */
    push(credit: Credit): void;
    /** At once, one of it in the air or not. */
    send(credits: Iterable<Credit>): void;
    /** Resolves when everything in the air has landed. */
    drained(): Promise<void>;
    /** What is not reported now is given up, so that a late answer is no news. */
    stop(): void;
    /** It ran after all, so it is not owed; what was sent again meanwhile goes back. */
    private tookLate;
    private flush;
    private mayGo;
    private land;
}
