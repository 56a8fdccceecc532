import type { Credits } from '../approximate/credits.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import type { Lease } from '../lease/lease.js';
import type { GiveBackQueue } from './give-back-queue.js';
/** Permits that nobody spent: they stay with the node while they are good, else they go back. */
export declare class Unspent {
    private readonly wheel;
    private readonly returns;
    private readonly credits;
    private closed;
    constructor(wheel: IdleWheel, returns: GiveBackQueue, credits: Pick<Credits, 'takeBack'>);
    /** From now on nothing is held (R44). */
    close(): void;
    /** To the lease while they are good, else back; what was admitted on credit is owed no longer (R29). @param spentAtMs when the node took them from what it held. */
    keep(lease: Lease, amount: number, bucket: number, nowMs: number, spentAtMs?: number): void;
    /** Sends what a lease holds back to the bucket that it was charged to. */
    returnBalance(lease: Lease): void;
    private sendBack;
}
