import type { Decision } from '@sluice/limiter';

/** Answer of `GET /v1/limits` (R71). */
export interface LimitsAnswer {
  readonly limits: readonly LimitAnswer[];
}

/** One limit of the caller. */
export interface LimitAnswer {
  /** Id of the rule that applies. */
  readonly scope: string;
  readonly limit: number;
  /** Permits left; with leases elsewhere, as the shared counter has it. */
  readonly remaining: number;
  /** ISO 8601; when the counter is wholly free again, now if it is. */
  readonly reset_at: string;
}

/** @param decision a peek over the caller's attributes */
export function limitsAnswer(decision: Decision): LimitsAnswer {
  return {
    limits: decision.policies.map(({ ruleId, limit, remaining, resetMs }) => ({
      scope: ruleId,
      limit,
      remaining,
      reset_at: new Date(decision.nowMs + resetMs).toISOString(),
    })),
  };
}
