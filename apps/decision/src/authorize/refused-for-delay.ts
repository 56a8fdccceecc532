import type { Decision, PolicyOutcome } from '@sluice/limiter';

/**
 * A decision that lets a request pass, too late, as the refusal that it becomes: by the shapers that would hold it back longer than `maxDelayMs`. It would
 * be soon enough once the rest of the delay is over. Field by field: the engine's decisions are not to be spread.
 */
export function refusedForDelay(decision: Decision, maxDelayMs: number): Decision {
  const policies = decision.policies.map((policy) => outcomeOf(policy, Math.max(0, policy.delayMs - maxDelayMs)));
  const slowest = policies.filter(({ allowed }) => !allowed).reduce<PolicyOutcome | undefined>((most, policy) => (most === undefined || policy.retryMs > most.retryMs ? policy : most), undefined);
  return {
    allowed: false,
    reason: 'quota',
    deciding: slowest,
    policies,
    shadow: decision.shadow,
    retryAfterMs: decision.delayMs - maxDelayMs,
    delayMs: 0,
    cost: decision.cost,
    nowMs: decision.nowMs,
    snapshotVersion: decision.snapshotVersion,
  };
}

function outcomeOf(policy: PolicyOutcome, retryMs: number): PolicyOutcome {
  const allowed = retryMs === 0;
  return {
    policy: policy.policy,
    ruleId: policy.ruleId,
    ruleVersion: policy.ruleVersion,
    allowed,
    limit: policy.limit,
    windowMs: policy.windowMs,
    remaining: allowed ? policy.remaining : 0,
    resetMs: policy.resetMs,
    retryMs,
    source: policy.source,
    reason: allowed ? policy.reason : 'quota',
    overrideId: policy.overrideId,
    delayMs: 0,
    charge: undefined,
  };
}
