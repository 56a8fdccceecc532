import { quota as checkedQuota } from '@sluice/algorithms';
/** Of the format below; a node that does not know one leaves its reservations alone. */
const VERSION = 1;
/**
 * The record as text, for the store: it holds the quotas themselves, so that any node can settle it, whatever its rules are by then. All
 * charges are taken for those of the store.
 */
export function encodeRecord({ estimate, charges }) {
    return JSON.stringify([VERSION, estimate, charges.map(({ key, bucket, quota }) => [key, bucket, quotaInput(quota)])]);
}
/** Undefined for what no version of {@link encodeRecord} wrote that is known here. */
export function decodeRecord(text) {
    try {
        const [version, estimate, charges] = Array.from(JSON.parse(text));
        if (version !== VERSION || !isPermits(estimate) || !Array.isArray(charges))
            return undefined;
        return { estimate, charges: charges.map(decodeCharge) };
    }
    catch {
        return undefined;
    }
}
function decodeCharge(entry) {
    const [key, bucket, input] = Array.isArray(entry) ? entry : [];
    if (typeof key !== 'string' || !isPermits(bucket) || !isInput(input))
        throw new TypeError('not a charge');
    return { key, bucket, quota: checkedQuota(input), at: 'store' };
}
/** Without what is the default anyway: a record is kept for each open reservation. */
function quotaInput({ algorithm, limit, windowMs, burst, subBuckets, shape, chargeDenied, calendar }) {
    return {
        algorithm,
        limit,
        windowMs,
        burst: burst === limit ? undefined : burst,
        subBuckets: subBuckets === 1 ? undefined : subBuckets,
        shape: shape || undefined,
        chargeDenied: chargeDenied || undefined,
        calendar,
    };
}
/** Its fields are checked by the builder of quotas. */
function isInput(value) {
    return typeof value === 'object' && value !== null && 'limit' in value;
}
function isPermits(value) {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
//# sourceMappingURL=reservation-record.js.map