import type { PolicyOutcome } from '@sluice/limiter';

/** What an answer says of a policy whatever has been used of it, as JSON without the braces. */
export interface PolicyText {
  /** Of the policy's own entry. */
  readonly entry: string;
  /** Of the answer that the policy decides. */
  readonly deciding: string;
}

interface Written extends PolicyText {
  readonly policy: string;
  readonly ruleVersion: number;
  readonly limit: number;
  readonly windowMs: number;
}

/** More than there are rules, so that it is emptied only where overrides come and go for long. */
const MOST_KEPT = 20_000;
const kept = new Map<string, Written>();

/**
 * Written once for each rule, and for each override of one. The kept text is only taken when it says what the outcome says: a rule changes,
 * and two nodes of one process may have other rules under the same id.
 */
export function policyText(outcome: PolicyOutcome): PolicyText {
  const { policy, ruleId, ruleVersion, limit, windowMs, overrideId } = outcome;
  const id = overrideId === undefined ? ruleId : `${ruleId} ${overrideId}`;
  const known = kept.get(id);
  if (known !== undefined && known.ruleVersion === ruleVersion && known.limit === limit && known.windowMs === windowMs && known.policy === policy) return known;
  const [name, rule] = [JSON.stringify(policy), JSON.stringify(ruleId)];
  const override = overrideId === undefined ? '' : `,"override_id":${JSON.stringify(overrideId)}`;
  const written = {
    entry: `"policy":${name},"rule_id":${rule},"rule_version":${ruleVersion},"limit":${limit},"window_seconds":${windowMs / 1000}${override}`,
    deciding: `"rule_id":${rule},"rule_version":${ruleVersion},"policy":${name},"limit":${limit}`,
    policy,
    ruleVersion,
    limit,
    windowMs,
  };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(id, written);
  return written;
}
