import type { Decision, PolicyOutcome } from '@sluice/limiter';

/**
 * What two limits of one request say together: a refusal decides, else what is tighter; the policies of both. For fields and for who
 * asks later; to give back what one of them charged, give back its own decision.
 */
export function combinedDecision(first: Decision, second: Decision): Decision {
  const { nowMs, snapshotVersion, cost } = second;
  const deciding = decides(second, first) ? second : first;
  return {
    allowed: first.allowed && second.allowed,
    reason: deciding.reason,
    deciding: deciding.deciding,
    policies: [...first.policies, ...second.policies],
    shadow: [...first.shadow, ...second.shadow],
    retryAfterMs: deciding.retryAfterMs,
    delayMs: Math.max(first.delayMs, second.delayMs),
    cost,
    nowMs,
    snapshotVersion,
  };
}

/** The later one in doubt: the earlier one let the request pass, or it would not have come here. */
function decides(second: Decision, first: Decision): boolean {
  if (!second.allowed || first.deciding === undefined) return true;
  return first.allowed && remaining(second.deciding) <= remaining(first.deciding);
}

function remaining(outcome: PolicyOutcome | undefined): number {
  return outcome?.remaining ?? Infinity;
}
