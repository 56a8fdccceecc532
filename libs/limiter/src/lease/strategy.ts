import type { CompiledRule } from '@sluice/rules';

/** How a rule's counters are asked. */
export interface Strategy {
  /** Permits may be held beyond the request that asked for them. */
  readonly leases: boolean;
  /** Requests may share a trip. */
  readonly shares: boolean;
  /** Far from the limit requests are admitted before the store knows of them (R29). */
  readonly approximate: boolean;
}

const LEASED: Strategy = { leases: true, shares: true, approximate: false };
const APPROXIMATE: Strategy = { leases: true, shares: true, approximate: true };
const EXACT: Strategy = { leases: false, shares: true, approximate: false };
const SOLO: Strategy = { leases: false, shares: false, approximate: false };

/**
 * A sliding log is chosen for its exactness, so it is never leased. A shaper gives each request its own delay and a rule that
 * charges denials has to see each of them: those neither lease nor share a trip.
 */
export function strategyOf(rule: CompiledRule): Strategy {
  if (rule.quota.shape || rule.quota.chargeDenied) return SOLO;
  if (rule.consistency === 'exact' || rule.quota.algorithm === 'sliding_log') return EXACT;
  return rule.consistency === 'approximate' ? APPROXIMATE : LEASED;
}
