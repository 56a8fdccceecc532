import type { Quota } from '@sluice/algorithms';
/** 12 days. Every unit is a power of two that divides it. */
export declare const MAX_UNIT_MS: number;
/**
 * The unit in which the table keeps the times of a quota, ms: 1 for windows up to 6 days, 64 for a year; longer waits are rounded by less
 * than 1 / 2^29 of themselves.
 */
export declare function timeUnitMs({ windowMs, burst, limit }: Quota): number;
