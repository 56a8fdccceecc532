import type { Decision, PolicyOutcome } from '@sluice/limiter';
import { retryAfterSeconds } from '@sluice/middleware';

/** One limit of an answer. Seconds are whole, rounded up. */
export interface PolicyAnswer {
  readonly policy: string;
  readonly rule_id: string;
  readonly rule_version: number;
  readonly allowed: boolean;
  readonly reason: string;
  readonly limit: number;
  readonly window_seconds: number;
  readonly remaining: number;
  readonly reset_after_seconds: number;
  readonly source: string;
  readonly override_id?: string;
}

/** Answer of `POST /v1/ratelimit:check`. The camelCase names are Envoy's; absent where no rule matched. */
export interface CheckAnswer {
  readonly overallCode: 'OK' | 'OVER_LIMIT';
  readonly limitRemaining?: number;
  readonly resetAfterSeconds?: number;
  readonly allowed: boolean;
  readonly reason: string;
  readonly rule_id?: string;
  readonly rule_version?: number;
  readonly policy?: string;
  readonly limit?: number;
  /** Absent when allowed, and when no waiting helps. */
  readonly retry_after_seconds?: number;
  /** Shaper: hold the request back this long, ms; 0 otherwise. */
  readonly delay_ms: number;
  readonly cost: number;
  readonly source: string;
  readonly snapshot_version: number;
  readonly policies: readonly PolicyAnswer[];
  readonly shadow: readonly PolicyAnswer[];
}

/** Puts a decision into the words of the API. */
export function checkAnswer(decision: Decision): CheckAnswer {
  const { deciding, allowed } = decision;
  const seconds = retryAfterSeconds(decision);
  return {
    overallCode: allowed ? 'OK' : 'OVER_LIMIT',
    ...(deciding === undefined
      ? {}
      : { limitRemaining: deciding.remaining, resetAfterSeconds: wholeSeconds(Math.max(deciding.resetMs, allowed ? 0 : deciding.retryMs)) }),
    allowed,
    reason: decision.reason,
    ...(deciding === undefined
      ? {}
      : { rule_id: deciding.ruleId, rule_version: deciding.ruleVersion, policy: deciding.policy, limit: deciding.limit }),
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
    delay_ms: decision.delayMs,
    cost: decision.cost,
    source: deciding?.source ?? 'none',
    snapshot_version: decision.snapshotVersion,
    policies: decision.policies.map(policyAnswer),
    shadow: decision.shadow.map(policyAnswer),
  };
}

function policyAnswer(policy: PolicyOutcome): PolicyAnswer {
  return {
    policy: policy.policy,
    rule_id: policy.ruleId,
    rule_version: policy.ruleVersion,
    allowed: policy.allowed,
    reason: policy.reason,
    limit: policy.limit,
    window_seconds: policy.windowMs / 1000,
    remaining: policy.remaining,
    reset_after_seconds: wholeSeconds(policy.resetMs),
    source: policy.source,
    ...(policy.overrideId === undefined ? {} : { override_id: policy.overrideId }),
  };
}

function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
