import { type CounterValues } from '../counter-name.js';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Lease } from '../lease/lease.js';
import type { Rechecks } from '../lease/rechecks.js';
import type { RefreshedKeys } from '../lease/refreshed-keys.js';
import type { Terms } from '../lease/terms.js';
import type { AutoSplits } from './auto-splits.js';
import type { Split } from './split.js';
import { SplitState } from './split-state.js';
/** The table of counters, as far as split ones need it. */
export interface Places {
    readonly refreshedKeys: RefreshedKeys;
    /** Counters that are split by themselves. */
    readonly auto: AutoSplits | undefined;
    newCursor(terms: Terms): LeaseCursor;
    /** Stands on the entry of a counter, if it has one. */
    seek(cursor: LeaseCursor, terms: Terms, values: CounterValues): boolean;
    /** Stands on the entry of a counter, a new one if need be. */
    stand(cursor: LeaseCursor, terms: Terms, values: CounterValues, nowMs: number): void;
    leaseOf(cursor: LeaseCursor, nowMs: number): Lease;
}
/**
 * Finds the shard of a split counter that serves a request (R28). A node's trips go to its home; when that is dry to the next that is not known
 * to be, and there they stay. The entry of the counter as a whole, its anchor, counts the demand and remembers until when all shards are dry.
 */
export declare class Shards {
    private readonly places;
    private readonly homeOf;
    private readonly rechecks;
    private readonly states;
    /** One for each limit of a request, on the shard that serves it. */
    private readonly cursors;
    private scratch;
    private anchor;
    /** @param homeOf this node's place among so many shards. */
    constructor(places: Places, homeOf: (shards: number) => number, rechecks: Rechecks);
    /** Whether a request at hand stands on the entry. */
    keeps(entry: number, limits: number): boolean;
    tick(nowMs: number): void;
    stateOf({ entry, terms }: LeaseCursor, split: Split): SplitState;
    /**
     * Stands on the shard that serves the request under its limit number `at`; on the anchor itself while that holds permits of its own, or knows that
     * all shards are dry. Good until the next request.
     */
    pick(at: number, anchor: LeaseCursor, split: Split, cost: number, nowMs: number): LeaseCursor;
    /** Whether the anchor says what becomes of a cost; else a shard does. */
    private decides;
    /**
     * The shard for a cost: the current one unless that is dry, else one that holds permits, else the first after it that is not dry. When all are
     * dry, -1 minus the one with the shortest wait.
     */
    choose(state: SplitState, values: CounterValues, cost: number, nowMs: number, tried?: ReadonlySet<number>): number;
    /** The lease of a shard, for a trip. */
    leaseOf(state: SplitState, terms: Terms, values: CounterValues, nowMs: number): Lease;
    /** Shortest wait over all shards for a cost, ms; `otherwiseMs` where none is known. */
    shortestWaitMs(split: Split, values: CounterValues, cost: number, nowMs: number, otherwiseMs: number): number;
    /** Stands on the anchor of a split counter; undefined when it has been forgotten. */
    anchorOf(terms: Terms, values: CounterValues): LeaseCursor | undefined;
    /** Permits came back to a shard: it may grant again, and so may the whole. */
    private refresh;
    private standingOn;
}
