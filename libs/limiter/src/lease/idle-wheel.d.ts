import type { Lease } from './lease.js';
/** Unspent permits of a key that was not used for so long go back (ARCHITECTURE, lease protocol). */
export declare const IDLE_MS = 200;
/** What becomes of leases that are looked at. */
export interface IdleActs {
    /** Its permits ran out or are not used: they go back. */
    due(lease: Lease): void;
    /** Nobody used it for a moment, and it holds nothing. */
    quiet(lease: Lease): void;
}
/**
 * Finds leases that ran out or fell idle: one timer for all keys, and only keys that were asked for lately are in it. A lease stands in
 * the slot of the moment at which it could be due; one that was used meanwhile moves on.
 */
export declare class IdleWheel {
    private readonly acts;
    private readonly slots;
    private tick;
    constructor(nowMs: number, acts: IdleActs);
    watch(lease: Lease, nowMs: number): void;
    /** Looks at every slot up to now. */
    turn(nowMs: number): void;
    /** Every lease is due: the node stops. */
    drain(): void;
    private taken;
    private look;
}
