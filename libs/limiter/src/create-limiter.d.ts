import type { RuleIndex } from '@sluice/rules';
import { type Clock } from './clock.js';
import { type LeaseSizing } from './lease/lease-sizing.js';
import type { Limiter } from './limiter.js';
import { type HotKeys } from './split/hot-keys.js';
import type { CounterStore } from './store/counter-store.js';
export interface LimiterOptions {
    readonly store: CounterStore;
    readonly rules: RuleIndex;
    /** Default: {@link systemClock}. */
    readonly clock?: Clock;
    /** Default: {@link adaptiveLeases} by `random`. */
    readonly sizing?: LeaseSizing;
    /** From 0 to below 1, for what only has to be spread out; default: Math.random. Seeded, with the sizing's, a run on the same clock repeats. */
    readonly random?: () => number;
    /** Nodes that share each limit while the store is away; absent: as many as beat to the store, the last known count while it is away (R41). */
    readonly fleetSize?: number | undefined;
    /** Tells this node from the others of the fleet; default: random. */
    readonly nodeId?: string | undefined;
    /** Most permits of one lease where a rule names no `max_lease`; default 10,000. */
    readonly maxLease?: number;
    /** Most keys that the node remembers; default 1,000,000, at most 15,728,638. */
    readonly maxKeys?: number;
    /** Most keys of one rule before further ones share a counter; default 500,000. */
    readonly maxKeysPerRule?: number;
    /**
     * When counters are split by themselves (R28). Default: on a store that spreads keys over several servers, by {@link DEFAULT_HOT_KEYS}; false: never. One of the
     * same for all nodes of a deployment: those that never split do not hear of it either.
     */
    readonly hotKeys?: HotKeys | false | undefined;
    /** Keeps several deployments apart on one store; default `s`. */
    readonly keyPrefix?: string;
}
/**
 * A node's limiter over a counter store.
 * @throws RangeError for a number that is not an integer of at least 1 or too great, an empty node id, or a key prefix that would break a hash tag.
 */
export declare function createLimiter(options: LimiterOptions): Limiter;
