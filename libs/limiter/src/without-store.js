import { NEVER } from '@sluice/algorithms';
/**
 * R41: the rule of a counter that the store did not answer for says whether the node goes on by itself or refuses; undefined when it
 * refuses for want of the store.
 */
export function withoutStore(fallback, { key, quota, rule }, cost) {
    if (rule.onStoreFailure === 'deny')
        return undefined;
    const { granted, bucket, delayMs, retryMs } = fallback.take(key, quota, cost);
    // More than this node's share of the limit: only the store can say yes, so the caller may try again.
    if (retryMs === NEVER)
        return undefined;
    return granted > 0 ? { kind: 'granted', bucket, delayMs } : { kind: 'refused', retryMs };
}
//# sourceMappingURL=without-store.js.map