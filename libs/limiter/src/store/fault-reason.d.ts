import type { StoreFault, StoreFaultKind } from './store-fault.js';
/** Why a call failed, fit for a log. */
export interface FaultReason {
    readonly kind: StoreFaultKind;
    /** Of the server or the client, without what was sent: that names counters. */
    readonly message: string;
}
export declare function reasonOf({ kind, message }: StoreFault): FaultReason;
