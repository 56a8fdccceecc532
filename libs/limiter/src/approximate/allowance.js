/** What all nodes together may have admitted and not reported, as a share of the limit: by so much it can be passed (R29). */
const ERROR_SHARE = 0.05;
/**
 * With less left than so many times that the counter is asked: all allowances together still fit into it. It is left alone again from the greater one
 * on, so that it does not flicker.
 */
const NEAR_BELOW = 1.2;
const FAR_FROM = 1.8;
/** Permits that a node of a fleet of this size may admit before the store knows of them; 0 when its share is less than one. */
export function allowanceOf(quota, fleetSize) {
    return Math.floor((ERROR_SHARE * baseOf(quota)) / fleetSize);
}
/** Whether a counter with so much left is to be asked. */
export function isNear(quota, remaining, wasNear) {
    return remaining < (wasNear ? FAR_FROM : NEAR_BELOW) * ERROR_SHARE * baseOf(quota);
}
/** Of a bucket that holds more than a window's worth, or less: the smaller, so that the error is small beside both. */
function baseOf({ limit, burst }) {
    return Math.min(limit, burst);
}
//# sourceMappingURL=allowance.js.map