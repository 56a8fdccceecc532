import type { Decision } from '../decision.js';
/** An estimate that was charged, to be settled by its id; or a denial, of which nothing has to be settled. */
export type Reservation = {
    readonly decision: Decision;
    /** 22 characters, 128 bits of chance: whoever knows it may settle, on any node. */
    readonly id: string;
    /** Until then at least it can be settled, ms since the epoch by the clock of `decision.nowMs`; the estimate stands afterwards. */
    readonly expiresAtMs: number;
} | {
    readonly decision: Decision;
    readonly id: undefined;
    readonly expiresAtMs: undefined;
};
export interface ReserveOptions {
    /** How long the reservation waits for its settlement, ms, 1 to a day. Default: the longest window that it was charged to, 1 s to 1 h. */
    readonly ttlMs?: number | undefined;
}
