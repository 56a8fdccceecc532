import type { Outcome, Usage } from '@sluice/algorithms';
import { type ScriptClient } from '@sluice/lua-scripts';
import type { ServerState } from './breaker.js';
import { type BreakerEvent } from './breakers.js';
import type { Answer, Ask, Counted, CounterStore, Debit, GiveBack, Heard, Heartbeat } from './counter-store.js';
import { StoreFault } from './store-fault.js';
export interface RedisStoreOptions {
    /** `redis://…`, a comma list is a cluster. Or bring a `client`, made with the options of `@sluice/lua-scripts`, and close it yourself. */
    readonly url?: string;
    readonly client?: ScriptClient;
    /** Longest wait for an answer, ms; default 50 (R40). */
    readonly timeoutMs?: number;
    /** Called for each error of the connection; the errors of calls are faults in the answers. */
    readonly onError?: (error: Error) => void;
    /** Called when a server is given up after failures in a row, and when it answers again (R41). */
    readonly onBreaker?: (event: BreakerEvent) => void;
    /** For tests: the time by which the scripts decide. */
    readonly nowMs?: () => number;
}
/** Counters in Redis, by one atomic script each; what is asked together goes out together. */
export declare class RedisStore implements CounterStore {
    private readonly client;
    private readonly breakers;
    private readonly calls;
    private readonly nowMs;
    private readonly owned;
    private readonly database;
    /** @throws RangeError for a URL that is none, or a client with an option that the scripts cannot work with. */
    constructor({ url, client, timeoutMs, onError, onBreaker, nowMs }: RedisStoreOptions);
    /** Resolves when commands can be sent; rejects when that takes longer than `timeoutMs`, or the database is refused. The client goes on trying. */
    ready(timeoutMs: number): Promise<void>;
    /** True while commands can be sent. */
    get connected(): boolean;
    /** `host:port` of each server that failed several times in a row and is left alone, but for a probe now and then (R41). */
    get givenUp(): readonly string[];
    stateOf(key: string): ServerState;
    ask(ask: Ask, answered: (answer: Answer) => void): void;
    take(asks: readonly Ask[]): Promise<readonly Answer[]>;
    takeAll(asks: readonly Ask[]): Promise<readonly Answer[]>;
    giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]>;
    charge(debits: readonly Debit[], late?: (debit: Debit, outcome: Outcome) => void): Promise<readonly Answer[]>;
    reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined>;
    claim(key: string, claimant: string): Promise<string | undefined | StoreFault>;
    heartbeat({ key, nodeId, ttlMs, splits }: Heartbeat): Promise<Heard | StoreFault>;
    get spreads(): boolean;
    usage(counters: readonly Counted[]): Promise<readonly (Usage | StoreFault)[]>;
    claimMove(key: string, counter: string, step: string, nodeId: string): Promise<boolean | StoreFault>;
    reset(keys: readonly string[]): Promise<void>;
    close(): Promise<void>;
    private answer;
    private command;
    private takeGroup;
    /** What is granted after its time was given to nobody, so it goes back: a store that is slow or hung loses nothing for good. */
    private returnLate;
    /** Another slot of the request refused: what this one charged goes back, and the answers say that nothing was charged. */
    private takeBack;
}
/** Counters in Redis or a Redis Cluster (see {@link RedisStore}). */
export declare function redisStore(options: RedisStoreOptions): RedisStore;
