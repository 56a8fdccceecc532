import type { Decision, PolicyOutcome } from '@sluice/limiter';

/** A client may come back when a probe may have found the service. */
const RETRY_MS = 1_000;

/**
 * The decision of a request for which the decision service gave none (R41): never a silent pass, so it names a policy `unreached` that decided as `fallback`.
 * No limit is known; its numbers and its window are 0, by which the skins state none.
 */
export function unreachedDecision(allowed: boolean, cost: number, nowMs: number): Decision {
  const reason = allowed ? 'ok' : 'store_unavailable';
  const deciding: PolicyOutcome = {
    policy: 'unreached',
    ruleId: 'unreached',
    ruleVersion: 0,
    allowed,
    limit: 0,
    windowMs: 0,
    remaining: 0,
    resetMs: 0,
    retryMs: allowed ? 0 : RETRY_MS,
    source: 'fallback',
    reason,
    overrideId: undefined,
    delayMs: 0,
    charge: undefined,
  };
  return { allowed, reason, deciding, policies: [deciding], shadow: [], retryAfterMs: allowed ? undefined : RETRY_MS, delayMs: 0, cost, nowMs, snapshotVersion: 0 };
}

/** Whether a decision knows no limit that could be stated. */
export function isUnreached({ deciding }: Decision): boolean {
  return deciding !== undefined && deciding.windowMs === 0;
}
