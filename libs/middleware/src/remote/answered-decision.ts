import type { Decision, DecisionReason, DecisionSource, PolicyOutcome } from '@sluice/limiter';

/** What the service answered to a check, as far as it is read. */
export interface AnsweredCheck {
  readonly decision: Decision;
  /** Of a reservation that was charged. */
  readonly id: string | undefined;
  readonly expiresAtMs: number | undefined;
}

const REASONS: readonly string[] = ['ok', 'no_rule', 'quota', 'cost_exceeds_limit', 'store_unavailable'] satisfies DecisionReason[];
const SOURCES: readonly string[] = ['local', 'store', 'fallback', 'none'] satisfies DecisionSource[];
/** As the engine says it: no waiting helps. */
const NEVER = -1;

type Fields = Readonly<Record<string, unknown>>;

/** Puts the words of the API back into a decision; `undefined` for what is no answer to a check. Times that it says in seconds are whole seconds. */
export function answeredDecision(body: unknown, nowMs: number): AnsweredCheck | undefined {
  if (!isObject(body)) return undefined;
  const { allowed, reason, policies, shadow, cost, rule_id: ruleId, policy, delay_ms: delayMs, retry_after_seconds: seconds } = body;
  if (typeof allowed !== 'boolean' || !isReason(reason) || !Array.isArray(policies)) return undefined;
  const outcomes = policies.map((one: unknown) => outcomeOf(one, delayMs));
  if (!outcomes.every((outcome) => outcome !== undefined)) return undefined;
  const deciding = ruleId === undefined ? undefined : outcomes.find((outcome) => outcome.ruleId === ruleId && outcome.policy === policy);
  if (ruleId !== undefined && deciding === undefined) return undefined;
  const shadows = Array.isArray(shadow) ? shadow.map((one: unknown) => outcomeOf(one, 0)).filter((outcome) => outcome !== undefined) : [];
  const decision: Decision = {
    allowed,
    reason,
    deciding,
    policies: outcomes,
    shadow: shadows,
    retryAfterMs: allowed || typeof seconds !== 'number' ? undefined : seconds * 1000,
    delayMs: number(delayMs),
    cost: number(cost),
    nowMs: time(body['checked_at']) ?? nowMs,
    snapshotVersion: number(body['snapshot_version']),
  };
  const { decision_id: id, decision_expires_at: expiresAt } = body;
  return { decision, id: typeof id === 'string' ? id : undefined, expiresAtMs: time(expiresAt) };
}

function outcomeOf(one: unknown, delayMs: unknown): PolicyOutcome | undefined {
  if (!isObject(one)) return undefined;
  const { policy, rule_id: ruleId, allowed, limit, remaining, reason, source, override_id: overrideId, retry_after_seconds: seconds } = one;
  if (typeof policy !== 'string' || typeof ruleId !== 'string' || typeof allowed !== 'boolean' || !isReason(reason) || !isSource(source)) return undefined;
  if (typeof limit !== 'number' || typeof remaining !== 'number') return undefined;
  const resetMs = number(one['reset_after_seconds']) * 1000;
  return {
    policy,
    ruleId,
    ruleVersion: number(one['rule_version']),
    allowed,
    limit,
    windowMs: Math.round(number(one['window_seconds']) * 1000),
    remaining,
    resetMs,
    retryMs: allowed ? 0 : typeof seconds === 'number' ? seconds * 1000 : reason === 'cost_exceeds_limit' ? NEVER : resetMs,
    source,
    reason,
    overrideId: typeof overrideId === 'string' ? overrideId : undefined,
    delayMs: allowed ? number(delayMs) : 0,
    charge: undefined,
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isReason(value: unknown): value is DecisionReason {
  return typeof value === 'string' && REASONS.includes(value);
}

function isSource(value: unknown): value is DecisionSource {
  return typeof value === 'string' && SOURCES.includes(value);
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function time(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
