import { type Outcome, type Usage } from '@sluice/algorithms';
import { type Clock } from '../clock.js';
import type { Answer, Ask, Counted, CounterStore, Debit, GiveBack, Heard, Heartbeat } from './counter-store.js';
/**
 * Counters in this process, by the pure algorithms: for one node, for tests, and as the fallback while Redis is away. Each
 * call is atomic because nothing in it waits. A counter that is wholly free again is forgotten by a sweep that rides on the
 * writes: no timer (known failures 43 and 68).
 */
export declare class MemoryStore implements CounterStore {
    private readonly clock;
    private readonly maxKeys;
    private readonly counters;
    private sweep;
    /** Goes on where it was: one from the start would pass all the places of those that were forgotten before. */
    private oldest;
    private readonly nodes;
    private readonly splits;
    private readonly reservations;
    /** @param maxKeys beyond it an old counter is forgotten, free or not: one that was not used again, and does not refuse, if there is one. */
    constructor(clock: Clock, maxKeys?: number);
    get size(): number;
    takeNow(ask: Ask): Outcome;
    take(asks: readonly Ask[]): Promise<readonly Answer[]>;
    takeAll(asks: readonly Ask[]): Promise<readonly Answer[]>;
    giveBack(returns: readonly GiveBack[]): Promise<readonly number[]>;
    giveBackNow({ key, quota, amount, bucket }: GiveBack): number;
    chargeNow({ key, quota, amount, onlyIfAbsent, bucket }: Debit): Outcome;
    charge(debits: readonly Debit[]): Promise<readonly Answer[]>;
    reserve(key: string, record: string, ttlMs: number): Promise<undefined>;
    claim(key: string, claimant: string): Promise<string | undefined>;
    /** Looks at some counters and forgets those that are wholly free again. */
    forget(steps: number): void;
    heartbeat(beat: Heartbeat): Promise<Heard>;
    usage(counters: readonly Counted[]): Promise<readonly Usage[]>;
    claimMove(key: string, counter: string, step: string, nodeId: string): Promise<boolean>;
    reset(keys: readonly string[]): Promise<void>;
    close(): Promise<void>;
    private grants;
    private keep;
    /** A flood of keys that come once must not push out the counters that are at work: those get another round. */
    private makeRoom;
}
/** Counters in this process (see {@link MemoryStore}). */
export declare function memoryStore(clock?: Clock): MemoryStore;
