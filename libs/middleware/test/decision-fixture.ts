import type { Decision, PolicyOutcome } from '@sluice/limiter';

/** A policy that allows, for tests: 5 a second, 4 left. */
export function policyOutcome(over: Partial<PolicyOutcome> = {}): PolicyOutcome {
  return {
    policy: 'default',
    ruleId: 'free-default',
    ruleVersion: 1,
    allowed: true,
    limit: 5,
    windowMs: 1000,
    remaining: 4,
    resetMs: 1000,
    retryMs: 0,
    source: 'local',
    reason: 'ok',
    overrideId: undefined,
    delayMs: 0,
    charge: undefined,
    ...over,
  };
}

/** A decision over the given policies, as the engine combines them: the first is the deciding one. */
export function decisionOver(policies: readonly PolicyOutcome[], over: Partial<Decision> = {}): Decision {
  const deciding = policies[0];
  return {
    allowed: policies.every((policy) => policy.allowed),
    reason: deciding?.reason ?? 'no_rule',
    deciding,
    policies,
    shadow: [],
    retryAfterMs: undefined,
    delayMs: 0,
    cost: 1,
    nowMs: 1_700_000_000_000,
    snapshotVersion: 1,
    ...over,
  };
}

/** One policy that refuses for `retryMs`. */
export function refusal(retryMs: number, over: Partial<PolicyOutcome> = {}): Decision {
  const policy = policyOutcome({ allowed: false, remaining: 0, retryMs, resetMs: retryMs, reason: 'quota', ...over });
  return decisionOver([policy], { retryAfterMs: retryMs });
}
