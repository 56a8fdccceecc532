const LEASED = { leases: true, shares: true, approximate: false };
const APPROXIMATE = { leases: true, shares: true, approximate: true };
const EXACT = { leases: false, shares: true, approximate: false };
const SOLO = { leases: false, shares: false, approximate: false };
/**
 * A sliding log is chosen for its exactness, so it is never leased. A shaper gives each request its own delay and a rule that
 * charges denials has to see each of them: those neither lease nor share a trip.
 */
export function strategyOf(rule) {
    if (rule.quota.shape || rule.quota.chargeDenied)
        return SOLO;
    if (rule.consistency === 'exact' || rule.quota.algorithm === 'sliding_log')
        return EXACT;
    return rule.consistency === 'approximate' ? APPROXIMATE : LEASED;
}
//# sourceMappingURL=strategy.js.map