import { NEVER } from '@sluice/algorithms';
import type { AppliedRule } from '@sluice/rules';
import type { Decision, PolicyOutcome } from './decision.js';

/** What was found out about one limit; a {@link PolicyOutcome} without the names that the rule gives it. */
export type Verdict = Pick<
  PolicyOutcome,
  'allowed' | 'reason' | 'source' | 'remaining' | 'resetMs' | 'retryMs' | 'charge' | 'delayMs'
>;

export function policyOutcome({ rule, quota, overrideId }: AppliedRule, verdict: Verdict): PolicyOutcome {
  return {
    policy: rule.policy,
    ruleId: rule.ruleId,
    ruleVersion: rule.version,
    allowed: verdict.allowed,
    limit: quota.limit,
    windowMs: quota.windowMs,
    remaining: Math.max(0, verdict.remaining),
    resetMs: Math.max(0, verdict.resetMs),
    retryMs: verdict.retryMs,
    source: verdict.source,
    reason: verdict.reason,
    overrideId,
    charge: verdict.charge,
    delayMs: verdict.delayMs,
  };
}

/** Puts the outcomes of one request together. @param nowMs by the store's clock. */
export function buildDecision(
  policies: readonly PolicyOutcome[],
  shadow: readonly PolicyOutcome[],
  cost: number,
  nowMs: number,
  snapshotVersion: number,
): Decision {
  const deciding = policies.length === 1 ? policies[0] : decidingOf(policies);
  const allowed = deciding === undefined || deciding.allowed;
  return {
    allowed,
    reason: deciding === undefined ? 'no_rule' : deciding.reason,
    deciding,
    policies,
    shadow,
    retryAfterMs: allowed ? undefined : longestWait(policies),
    delayMs: !allowed || deciding === undefined ? 0 : policies.length === 1 ? deciding.delayMs : longestDelay(policies),
    cost,
    nowMs,
    snapshotVersion,
  };
}

/** The policy that denies for the longest, or the one with the fewest permits left. */
function decidingOf(policies: readonly PolicyOutcome[]): PolicyOutcome | undefined {
  let deciding: PolicyOutcome | undefined;
  for (const policy of policies) {
    if (deciding === undefined || isTighter(policy, deciding)) deciding = policy;
  }
  return deciding;
}

function isTighter(a: PolicyOutcome, b: PolicyOutcome): boolean {
  if (a.allowed !== b.allowed) return !a.allowed;
  if (a.allowed) return a.remaining < b.remaining;
  if (b.retryMs === NEVER) return false;
  return a.retryMs === NEVER || a.retryMs > b.retryMs;
}

/** Undefined when a violated policy can never be met by waiting (R9). */
function longestWait(policies: readonly PolicyOutcome[]): number | undefined {
  let longest = 0;
  for (const policy of policies) {
    if (policy.allowed) continue;
    if (policy.retryMs === NEVER) return undefined;
    longest = Math.max(longest, policy.retryMs);
  }
  return longest;
}

function longestDelay(policies: readonly PolicyOutcome[]): number {
  let longest = 0;
  for (const { delayMs } of policies) longest = Math.max(longest, delayMs);
  return longest;
}
