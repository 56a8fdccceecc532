import type { Quota } from '@sluice/algorithms';
import type { Lease } from '../lease/lease.js';
/**
 * What a node admits of one counter before it tells the store. While it is open, the lease's balance is permits that were charged nowhere: what is
 * missing of it was spent, and is owed to the store until a report of it was answered. Spent and not yet answered is never more than the
 * allowance, whatever comes: the bound of R29 rests on that.
 */
export declare class Credit {
    readonly key: string;
    /** Learns what the store answers; absent when the node has forgotten the counter. */
    private holder;
    quota: Quota;
    /** From then on a report goes to another bucket than the lease's. */
    bucketEndsAtMs: number;
    /** When a report was last sent, and when something was last found spent. */
    sentAtMs: number;
    spentAtMs: number;
    /** With what was spent later no report has left. */
    private toldAtMs;
    private opened;
    /** Balance of the lease when it was last looked at. */
    private exposed;
    private reserve;
    private owed;
    private sent;
    constructor(key: string, 
    /** Learns what the store answers; absent when the node has forgotten the counter. */
    holder: Lease | undefined, quota: Quota, nowMs: number);
    get lease(): Lease | undefined;
    get isOpen(): boolean;
    /** Permits admitted that no report has left with. */
    get unreported(): number;
    /** Permits admitted of which the store is not known to know. */
    get unanswered(): number;
    /** Lets the lease spend what the allowance leaves; anew after each answer. */
    open(lease: Lease, allowance: number): void;
    /** Adds what was held back; false when there is nothing. */
    draw(): boolean;
    /** Nothing more is spent; what was, is still owed. */
    close(): void;
    /** Its lease has lost its place. */
    detach(): void;
    /** Notes what was spent since the last look. */
    look(): void;
    /** A report leaves; what it reports. */
    depart(nowMs: number): number;
    /** A report is in the air. */
    get reporting(): boolean;
    /** A report was answered; or was not, so that it is owed again. */
    landed(amount: number, answered: boolean): void;
    /** Whether permits that were spent at this instant are surely not in a report yet. */
    holdsOf(spentAtMs: number): boolean;
    /** Permits that were not used after all, as far as no report has left with them: how many that is. */
    takeBack(amount: number): number;
    /** What is owed is not to be reported any more; how much that was. */
    writeOff(): number;
    private expose;
}
