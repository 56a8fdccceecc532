import type { Quota } from '@sluice/algorithms';
import type { Lease } from '../lease/lease.js';
import type { LeasePlan } from '../lease/lease-sizing.js';
import type { Ask } from '../store/counter-store.js';
import type { Passenger } from './passenger.js';
/** One trip to the store for one counter, shared by everybody who waits for it; what it asks for is known when it takes off. */
export declare class Flight implements Ask {
    readonly lease: Lease;
    readonly passengers: readonly Passenger[];
    readonly shared: boolean;
    readonly key: string;
    quota: Quota;
    need: number;
    want: number;
    backAmount: number;
    backBucket: number;
    /** What to do with the answer. */
    plan: LeasePlan;
    sentAtMs: number;
    /** @param shared whether it holds up others of its counter; as the rule said when it was made, whatever it says on landing. */
    constructor(lease: Lease, passengers: readonly Passenger[], shared: boolean);
    /** Closes it to newcomers: it asks by the limit in force now. Answers the sum of what its passengers need. */
    close(): number;
}
