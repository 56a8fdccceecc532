import type { Quota } from '@sluice/algorithms';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Lease } from '../lease/lease.js';
import type { Landing } from '../trip/passenger.js';
import type { Shards } from './shards.js';
import type { SplitState } from './split-state.js';
/**
 * One request's way through the shards of a split counter: who is refused by one asks the next that is not known to be dry, so that nobody is refused
 * while another has permits. The one exception to R21's one trip a request, and bounded: what a shard refuses is remembered, and once all
 * of them are dry one is asked at a time.
 */
export declare class ShardTour {
    private readonly shards;
    readonly state: SplitState;
    /** Of the shard at hand. */
    lease: Lease;
    private at;
    private readonly tried;
    private readonly values;
    private constructor();
    /** Of a request whose cursor stands on a shard; undefined for a counter that is whole. */
    static of(shards: Shards, cursor: LeaseCursor, lease: Lease | undefined): ShardTour | undefined;
    /** The key of the counter as a whole, under which this node goes on by itself while the store is away (R41). */
    get key(): string;
    /** Takes up how a wait for permits of the shard at hand ended. Undefined: {@link lease} is that of another shard now, which is to be asked. */
    landed(landing: Landing, cost: number, nowMs: number): Landing | undefined;
    /** What the shards may admit together whose servers are in trouble: the one at hand at least. */
    awayQuota(isAway: (key: string) => boolean): Quota;
    private moveOn;
    /** All shards are dry: nobody asks before the pace of the one that was asked last is over. Answers how long that is, ms. */
    private pause;
}
