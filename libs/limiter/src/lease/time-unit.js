/** 12 days. Every unit is a power of two that divides it. */
export const MAX_UNIT_MS = 2 ** 30;
/** Times to come may take half of what 32 bits hold; the other half is the age of the epoch. */
const UNITS_AHEAD = 2 ** 31;
/** Two windows, or a bucket and as much debt again, and some room. */
const HORIZON = 4;
/**
 * The unit in which the table keeps the times of a quota, ms: 1 for windows up to 6 days, 64 for a year; longer waits are rounded by less
 * than 1 / 2^29 of themselves.
 */
export function timeUnitMs({ windowMs, burst, limit }) {
    const horizonMs = HORIZON * windowMs * Math.max(1, burst / limit);
    let unitMs = 1;
    while (unitMs < MAX_UNIT_MS && unitMs * UNITS_AHEAD < horizonMs)
        unitMs *= 2;
    return unitMs;
}
//# sourceMappingURL=time-unit.js.map