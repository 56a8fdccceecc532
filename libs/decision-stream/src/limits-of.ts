import { MAX_DECISION_LIMITS, type DecisionLimit } from '@sluice/events';
import type { Decision, PolicyOutcome } from '@sluice/limiter';

/** The limits of a decision as events have them, the deciding one first, the others in their order. */
export function limitsOf({ deciding, policies }: Decision): readonly DecisionLimit[] {
  if (deciding === undefined) return [];
  const limits = [limitOf(deciding)];
  for (const outcome of policies) {
    if (limits.length === MAX_DECISION_LIMITS) break;
    if (outcome !== deciding) limits.push(limitOf(outcome));
  }
  return limits;
}

function limitOf({ policy, ruleId, ruleVersion, overrideId, allowed, limit, windowMs, remaining, resetMs, retryMs, source, reason }: PolicyOutcome): DecisionLimit {
  return {
    policy,
    rule_id: ruleId,
    rule_version: ruleVersion,
    override_id: overrideId ?? null,
    allowed,
    limit,
    window_ms: windowMs,
    remaining,
    reset_ms: resetMs,
    retry_ms: retryMs,
    source,
    reason,
  };
}
