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

/**
 * Puts the words of the API back into a decision; `undefined` for what is no answer to a check. Times that it says in seconds are whole seconds. What does not hold
 * together is no answer either: numbers that are none, a refusal that names no policy, a quota that is used up for ever.
 */
export function answeredDecision(body: unknown, nowMs: number): AnsweredCheck | undefined {
  if (!isObject(body)) return undefined;
  const { allowed, reason, policies, shadow, rule_id: ruleId, policy } = body;
  if (typeof allowed !== 'boolean' || !isReason(reason) || !Array.isArray(policies)) return undefined;
  const delayMs = count(body['delay_ms'], 0);
  const outcomes = policies.map((one: unknown) => outcomeOf(one, delayMs));
  if (!outcomes.every((outcome) => outcome !== undefined)) return undefined;
  if (allowed !== outcomes.every((outcome) => outcome.allowed)) return undefined;
  const deciding = ruleId === undefined ? undefined : outcomes.find((outcome) => outcome.ruleId === ruleId && outcome.policy === policy);
  if (deciding === undefined && (ruleId !== undefined || !allowed)) return undefined;
  const waitMs = allowed ? undefined : milliseconds(body['retry_after_seconds'], NEVER);
  if (reason === 'quota' && waitMs === NEVER && outcomes.every((outcome) => outcome.retryMs !== NEVER)) return undefined;
  const cost = count(body['cost'], 0);
  const snapshotVersion = count(body['snapshot_version'], 0);
  if (delayMs === undefined || cost === undefined || snapshotVersion === undefined || (!allowed && waitMs === undefined)) return undefined;
  const decision: Decision = {
    allowed,
    reason,
    deciding,
    policies: outcomes,
    shadow: Array.isArray(shadow) ? shadow.map((one: unknown) => outcomeOf(one, 0)).filter((outcome) => outcome !== undefined) : [],
    retryAfterMs: waitMs === NEVER ? undefined : waitMs,
    delayMs,
    cost,
    nowMs: time(body['checked_at']) ?? nowMs,
    snapshotVersion,
  };
  const { decision_id: id, decision_expires_at: expiresAt } = body;
  return { decision, id: typeof id === 'string' ? id : undefined, expiresAtMs: time(expiresAt) };
}

function outcomeOf(one: unknown, delayMs: number | undefined): PolicyOutcome | undefined {
  if (!isObject(one)) return undefined;
  const { policy, rule_id: ruleId, allowed, reason, source, override_id: overrideId } = one;
  if (typeof policy !== 'string' || typeof ruleId !== 'string' || typeof allowed !== 'boolean' || !isReason(reason) || !isSource(source)) return undefined;
  const [limit, remaining, ruleVersion] = [count(one['limit']), count(one['remaining']), count(one['rule_version'], 0)];
  const [windowMs, resetMs] = [milliseconds(one['window_seconds']), milliseconds(one['reset_after_seconds'], 0)];
  const retryMs = allowed ? 0 : milliseconds(one['retry_after_seconds'], reason === 'cost_exceeds_limit' ? NEVER : resetMs);
  if (limit === undefined || remaining === undefined || ruleVersion === undefined || resetMs === undefined || retryMs === undefined || delayMs === undefined) return undefined;
  // A window of 0 is what marks decisions without numbers.
  if (windowMs === undefined || windowMs === 0 || (reason === 'quota' && !allowed && retryMs === 0)) return undefined;
  return {
    policy,
    ruleId,
    ruleVersion,
    allowed,
    limit,
    windowMs,
    remaining,
    resetMs,
    retryMs,
    source,
    reason,
    overrideId: typeof overrideId === 'string' ? overrideId : undefined,
    delayMs: allowed ? delayMs : 0,
    charge: undefined,
  };
}

/** An integer of at least 0; JSON can hold more than that, such as 1e999, which is read as Infinity. */
function count(value: unknown, absent?: number): number | undefined {
  if (value === undefined) return absent;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function milliseconds(seconds: unknown, absent?: number): number | undefined {
  if (seconds === undefined) return absent;
  return typeof seconds === 'number' ? count(Math.round(seconds * 1000)) : undefined;
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

function time(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
