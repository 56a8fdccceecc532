import type { Clock } from '../clock.js';
import type { Fleet } from '../fleet/fleet.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import type { LeaseSizing } from '../lease/lease-sizing.js';
import type { Lease } from '../lease/lease.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { CounterStore } from '../store/counter-store.js';
export interface CreditsParts {
    readonly store: CounterStore;
    readonly clock: Clock;
    readonly fleet: Pick<Fleet, 'size' | 'isSettled'>;
    readonly sizing: LeaseSizing;
    readonly stats: LimiterStats;
    readonly wheel: Pick<IdleWheel, 'watch'>;
    /** Ceiling of an allowance where the rule names no `max_lease`. */
    readonly maxLease: number;
    /** Sends charged permits of a lease back. */
    readonly giveBack: (lease: Lease) => void;
    /** Whether the node had to forget counters to make room, and does not know which of them are still near their limit. */
    readonly forgetful: (nowMs: number) => boolean;
}
/**
 * Consistency `approximate` (R29): far from its limit a counter is not asked. The node admits what its allowance holds, and reports it afterwards,
 * off the request path; near the limit it leases as others do. docs/adr/0014-approximate.md has the bound and its proof.
 */
export declare class Credits {
    private readonly parts;
    private readonly known;
    private readonly schedule;
    private readonly reports;
    private closed;
    /** Until then a counter counts of which the node heard that it is near its limit when it had no place for it any more. */
    private missedUntilMs;
    constructor(parts: CreditsParts);
    /** Lets a lease that lacks permits for this cost admit it on credit, if it may. */
    draw(lease: Lease, cost: number, nowMs: number): boolean;
    /** The lease is about to ask: it spends nothing on credit meanwhile, and the store hears of what was spent before it answers. */
    handOver(lease: Lease): void;
    /**
     * Permits that were not spent after all: how many of them are owed no longer. None where the store has heard of these and what is owed is of
     * another bucket than theirs (R9). @param spentAtMs when they were spent; absent: some time ago.
     */
    takeBack(key: string, amount: number, bucket: number, spentAtMs?: number): number;
    /** Permits of this counter that were admitted here and that no report has left with. */
    unreported(key: string): number;
    /** A lease is to be retired: false while the answer to a report is to come, which has to be remembered. */
    release(lease: Lease): boolean;
    /** A lease lost its place; what it spent is reported all the same. */
    detach(lease: Lease): void;
    /** The counter is being reset. */
    drop(key: string): void;
    /** Called now and then: reports what is due, of about `steps` counters at most. */
    tick(nowMs: number, steps: number): void;
    /** Reports everything and waits for it (R44); from then on nothing is admitted on credit. */
    close(): Promise<void>;
    private open;
    /** What the store would say of a counter that nobody has used. */
    private assumeUnused;
    private landed;
    private learn;
    /** The counter of a report has lost its place: who asks for it next must not take it for unused when it is near its limit. */
    private miss;
    /** What was admitted so long ago that it does not count any more is not reported: the store was away (R42). */
    private writeOffStale;
    private plan;
    private forget;
}
