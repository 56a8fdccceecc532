/** Whether two quotas of one counter mean the same; a snapshot re-sent brings new objects with the same numbers. */
export function sameQuota(a, b) {
    return a.limit === b.limit && a.burst === b.burst && a.chargeDenied === b.chargeDenied && a.shape === b.shape;
}
//# sourceMappingURL=terms.js.map