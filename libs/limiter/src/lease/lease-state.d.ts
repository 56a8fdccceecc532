import { type Situation } from './lease-sizing.js';
import type { Segment } from './segment.js';
import type { Terms } from './terms.js';
/** What a lease can say without asking the store. */
export type Standing = 'held' | 'dry' | 'ask';
/**
 * What a node knows of one counter: the permits it took and has not spent, how long they are good, and until when the store is known to
 * refuse. All times are the node's clock, ms. The numbers are in the table; this reads and writes them there.
 */
export declare class LeaseState {
    protected segment: Segment;
    protected base: number;
    terms: Terms;
    /** Ms between the use at hand and the one before it; the table keeps the latter alone. */
    pauseMs: number;
    constructor(segment: Segment, base: number, terms: Terms);
    get balance(): number;
    set balance(permits: number);
    get bucket(): number;
    /** Permits are good before this instant: never beyond the bucket they were charged to (R23). */
    get endsAtMs(): number;
    /** When the counter will be wholly free. */
    get resetAtMs(): number;
    set resetAtMs(atMs: number);
    get lastUsedMs(): number;
    /** What the store had left when it last answered. */
    get storeRemaining(): number;
    set storeRemaining(permits: number);
    standing(cost: number, nowMs: number): Standing;
    /** How long the store is known to refuse this cost, ms; 0 when that is not known. A greater cost may have to wait for longer. */
    waitMs(cost: number, nowMs: number): number;
    /** A node that held permits to the end of the bucket comes back late as well, though its pace is over (R26). */
    dryUntilMs(nowMs: number): number;
    /** Permits of this node went back: the store may grant again, but who keeps a pace at the end of a bucket keeps it. */
    makeRoom(): void;
    /** Permits came back, or the quota is another: the store may grant again. */
    forgetDryness(): void;
    /**
     * Takes up other terms. Under another quota, or asked in another way, nothing learnt before holds, and unspent permits go back with the next
     * ask; the same terms re-sent change nothing (R61).
     */
    adopt(terms: Terms): void;
    /** Permits this node can see: its own, and what the store had left. A hint (R70). */
    remainingHint(nowMs: number): number;
    /** Until the counter will be wholly free, ms; below 0 when it is. */
    resetInMs(nowMs: number): number;
    /** A request for so many permits came: when, and how busy the key is, by two buckets of {@link SPAN_MS} and no timer. */
    use(cost: number, nowMs: number): void;
    /** What is known when `waiting` permits are about to be asked for. */
    situation(waiting: number, nowMs: number): Situation;
    /** The key's own arrival rate on this node, permits per ms, without those that wait: they are the requests at hand, not what is ahead. */
    private ratePerMs;
    /** The bucket that permits come from, and when it ends: rounded down, since a lease must end no later (R23). */
    protected holdIn(bucket: number, endsAtMs: number): void;
    /**
     * The store refuses a cost of `need` until then. A greater cost than one that is refused already has its own, longer wait. A refusal that
     * does not fit is not remembered, so the store is asked again: never a wait that is too short.
     */
    refuse(need: number, untilMs: number, nowMs: number): void;
    /** Takes note of how well the store served. */
    protected feel(well: boolean, eases: boolean): void;
    protected mark(flag: number, on: boolean): void;
    protected has(flag: number): boolean;
    private word;
    private timeOf;
    private unitsTo;
}
