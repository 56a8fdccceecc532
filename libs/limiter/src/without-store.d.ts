import type { Fallback } from './fallback.js';
import type { Lease } from './lease/lease.js';
import type { Landing } from './trip/passenger.js';
/**
 * R41: the rule of a counter that the store did not answer for says whether the node goes on by itself or refuses; undefined when it
 * refuses for want of the store.
 */
export declare function withoutStore(fallback: Fallback, { key, quota, rule }: Pick<Lease, 'key' | 'quota' | 'rule'>, cost: number): Landing | undefined;
