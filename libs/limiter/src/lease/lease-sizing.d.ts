import { type Quota } from '@sluice/algorithms';
/** What a node knows of a counter when it is about to ask. */
export interface Situation {
    readonly quota: Quota;
    /** Permits a ms that this node is asked for, beside those that wait right now. */
    readonly ratePerMs: number;
    /** Ms until the bucket of the last grant ends; Infinity when that is over, or the algorithm has no buckets. */
    readonly leftMs: number;
    /** When the store last answered, next to nothing was left. */
    readonly tight: boolean;
    /** How often it lately granted much less than was wanted, 0 to {@link MAX_PRESSURE}. */
    readonly pressure: number;
}
/** What to ask for, and what to do when it is not granted. */
export interface LeasePlan {
    /** Permits wanted; the caller raises them to the need and caps them. */
    readonly want: number;
    /** Ms after which a node asks again that got much less than it wanted. */
    readonly paceMs: number;
    /** The bucket is about to end: if next to nothing is left, the pace holds also when all was granted (R26). */
    readonly lastCall: boolean;
    /** Whether a full grant lowers the pressure: not one that the end of the bucket made small, and of the others one in two, so that it rises fast and falls slowly. */
    readonly eases: boolean;
    /** Ms added to a wait that a pressed fleet shares, the end of a fixed window (R26). */
    readonly jitterMs: number;
}
/** How much is asked for beyond the request at hand, and how often. */
export interface LeaseSizing {
    plan(situation: Situation): LeasePlan;
    /** Ms between the reports of a node that admits before the store knows (R29). */
    intervalMs(quota: Quota): number;
}
/** Three bits in the table of counters. */
export declare const MAX_PRESSURE = 7;
/**
 * Permits ahead of need, as a real number, that a node may hold of a counter: of the limit, or of a burst below it, since 2 % of a day's limit can be many
 * times the burst. Less than that is next to nothing. Of a limit or a burst below 50 it is less than one permit, so nothing is held ahead of need.
 */
export declare function mostHeld({ limit, burst }: Quota): number;
/**
 * Leases that follow the key's own rate and how hard the store is pressed (docs/adr/0011-lease-sizing.md). An interval is random, within
 * 25 %, so that nodes that came together do not stay together (R26).
 * @param thrift how long the intervals under pressure are: at 150 % load on 50 nodes 1 makes 0.063 trips a request and admits 98.6 % of the limit, 0.4 makes 0.12 and admits 99.1 %.
 */
export declare function adaptiveLeases(random: () => number, thrift?: number): LeaseSizing;
/** Always the same chunk, whatever the demand, and no pace: the scheme of the textbooks, for comparison and for R20's arithmetic. */
export declare function fixedLeases(chunk: number): LeaseSizing;
