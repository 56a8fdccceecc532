import type { Refunds } from '../approximate/refunds.js';
import type { Fallback } from '../fallback.js';
import type { CounterStore } from '../store/counter-store.js';
import { StoreFault } from '../store/store-fault.js';
import type { ReservedCharge } from './reservation-record.js';
export interface AdjustParts {
    readonly store: CounterStore;
    readonly fallback: Fallback;
    readonly refunds: Refunds;
    /** Told of counters that got permits back. */
    readonly leases: {
        refreshed(key: string): void;
    };
}
/** What came of one counter: the permits by which its use has changed, or the fault in the way. */
export interface Adjusted {
    readonly charge: ReservedCharge;
    readonly answer: number | StoreFault;
}
/** Gives back (`difference` below 0) or charges beyond the limit what each counter was reserved too much or too little; one trip for all. */
export declare function adjust(parts: AdjustParts, charges: readonly ReservedCharge[], difference: number): Promise<readonly Adjusted[]>;
