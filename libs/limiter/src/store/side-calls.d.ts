import type { Usage } from '@sluice/algorithms';
import type { LimiterStats } from '../limiter-stats.js';
import type { ServerState } from './breaker.js';
import type { Answer, Ask, Counted, CounterStore, Debit, GiveBack, Heard, Heartbeat } from './counter-store.js';
import { StoreFault } from './store-fault.js';
/**
 * A store for all calls but those that decide: settlements, debts, reports, what goes back, moves of split counters, signs of life. Each of them
 * that was sent and not answered is counted in {@link LimiterStats.sideFaults}, whoever made it, so that nothing is lost in silence.
 */
export declare class SideCalls implements CounterStore {
    private readonly store;
    private readonly stats;
    readonly heartbeat?: (beat: Heartbeat) => Promise<Heard | StoreFault>;
    readonly usage?: (counters: readonly Counted[]) => Promise<readonly (Usage | StoreFault)[]>;
    readonly claimMove?: (key: string, counter: string, step: string, nodeId: string) => Promise<boolean | StoreFault>;
    readonly spreads: boolean;
    constructor(store: CounterStore, stats: Pick<LimiterStats, 'sideFaults'>);
    stateOf(key: string): ServerState;
    take(asks: readonly Ask[]): Promise<readonly Answer[]>;
    takeAll(asks: readonly Ask[]): Promise<readonly Answer[]>;
    giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]>;
    charge(debits: readonly Debit[], late?: Parameters<CounterStore['charge']>[1]): Promise<readonly Answer[]>;
    reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined>;
    claim(key: string, claimant: string): Promise<string | undefined | StoreFault>;
    reset(keys: readonly string[]): Promise<void>;
    close(): Promise<void>;
    private watched;
    private all;
    private count;
}
