import { type Quota } from '@sluice/algorithms';
/** A counter that was charged with the estimate of a reservation. */
export interface ReservedCharge {
    readonly key: string;
    readonly quota: Quota;
    /** What the charge went to, as a refund names it. */
    readonly bucket: number;
    /** The shared counter, or that of this node's fallback (R41). */
    readonly at: 'store' | 'fallback';
}
/** What has to be known to settle a reservation. */
export interface ReservationRecord {
    readonly estimate: number;
    readonly charges: readonly ReservedCharge[];
}
/**
 * The record as text, for the store: it holds the quotas themselves, so that any node can settle it, whatever its rules are by then. All
 * charges are taken for those of the store.
 */
export declare function encodeRecord({ estimate, charges }: ReservationRecord): string;
/** Undefined for what no version of {@link encodeRecord} wrote that is known here. */
export declare function decodeRecord(text: string): ReservationRecord | undefined;
