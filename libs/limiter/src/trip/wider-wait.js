import { NEVER } from '@sluice/algorithms';
/**
 * How long a cost has to wait that was refused in a trip whose least cost was `need`, ms: long enough, never less than the wait of `need`.
 * A bucket drains evenly, so the wait of one cost tells that of another; how a window empties only the store knows, so there it is the
 * time until all of it is free.
 */
export function widerWaitMs(cost, need, quota, outcome) {
    const { granted, remaining, retryMs, resetMs } = outcome;
    if (cost === need || retryMs === NEVER)
        return retryMs;
    const atMost = Math.max(retryMs, resetMs);
    if (!drainsEvenly(quota))
        return atMost;
    // What was refused may stand before a debt, which `remaining` does not show: there only the wait of `need` tells how deep it is (R14).
    const known = granted === 0 ? need : remaining;
    const waitMs = (granted === 0 ? retryMs : 0) + Math.ceil(((cost - known) * quota.windowMs) / quota.limit);
    return Math.min(atMost, Math.max(retryMs, waitMs));
}
function drainsEvenly({ algorithm }) {
    return algorithm === 'token_bucket' || algorithm === 'leaky_bucket' || algorithm === 'gcra';
}
//# sourceMappingURL=wider-wait.js.map