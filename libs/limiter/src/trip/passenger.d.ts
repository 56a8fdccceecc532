import type { StoreFault } from '../store/store-fault.js';
/** How a wait for permits ended. */
export type Landing = {
    readonly kind: 'granted';
    readonly bucket: number;
    readonly delayMs: number;
}
/** Would have been granted; nothing was charged, since another limit of the same atomic step refuses. */
 | {
    readonly kind: 'spared';
} | {
    readonly kind: 'refused';
    readonly retryMs: number;
} | {
    readonly kind: 'fault';
    readonly fault: StoreFault;
};
/** One request that waits for permits of one counter. */
export interface Passenger {
    readonly cost: number;
    land(landing: Landing): void;
}
