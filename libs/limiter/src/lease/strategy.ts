import type { CompiledRule } from '@sluice/rules';

/** How a rule's counters are asked. */
export interface Strategy {
  /** Permits may be held beyond the request that asked for them. */
  readonly leases: boolean;
  /** Requests may share a trip. */
  readonly shares: boolean;
}

const LEASED: Strategy = { leases: true, shares: true };
const EXACT: Strategy = { leases: false, shares: true };
const SOLO: Strategy = { leases: false, shares: false };

/**
 * A sliding log is chosen for its exactness, so it is never leased. A shaper gives each request its own delay and a rule that
 * charges denials has to see each of them: those neither lease nor share a trip.
 */
export function strategyOf(rule: CompiledRule): Strategy {
  if (rule.quota.shape || rule.quota.chargeDenied) return SOLO;
  if (rule.consistency === 'exact' || rule.quota.algorithm === 'sliding_log') return EXACT;
  return LEASED;
}
