import type { Outcome, Quota } from '@sluice/algorithms';
import type { Clock } from './clock.js';
import type { Fleet } from './fleet/fleet.js';
/**
 * Decides by itself while the store is away, for rules that prefer that to refusing (R41): each node admits its share of the
 * limit by the size of the fleet now, rounded down, so that the fleet together stays below it. A share below one permit still admits one a window: a node
 * cannot hold a fraction of a request.
 */
export declare class Fallback {
    private readonly fleet;
    private readonly store;
    private readonly shares;
    constructor(clock: Clock, fleet: Pick<Fleet, 'size'>, maxKeys: number);
    get size(): number;
    take(key: string, quota: Quota, cost: number): Outcome;
    /** What {@link take} would answer. */
    peek(key: string, quota: Quota, cost: number): Outcome;
    /** The permits given back; 0 when they come too late. */
    giveBack(key: string, quota: Quota, amount: number, bucket: number): number;
    /** Beyond this node's share too (R14). */
    charge(key: string, quota: Quota, amount: number): Outcome;
    /** Forgets some counters that are free again; outages end, and then nobody writes here any more. */
    tidy(steps: number): void;
    private shareOf;
}
