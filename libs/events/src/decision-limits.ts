import { isCount, isName } from './decision-event-fields.js';
import { MAX_DECISION_LIMITS, type DecisionLimit } from './decision-event.js';

const COUNT = 'that is an integer of at least 0';
const NAME = 'that is a string of 1 to 256 characters';

/** The `limits` of an event, or what is wrong with them. Unknown fields are left out. */
export function readDecisionLimits(value: unknown): readonly DecisionLimit[] | string {
  if (!Array.isArray(value)) return 'has no limits that are a JSON array';
  if (value.length > MAX_DECISION_LIMITS) return `has more than ${String(MAX_DECISION_LIMITS)} limits`;
  const limits: DecisionLimit[] = [];
  for (const one of value as readonly unknown[]) {
    const limit = readLimit(one);
    if (typeof limit === 'string') return `has no limits[${String(limits.length)}]${limit}`;
    limits.push(limit);
  }
  return limits;
}

/** A limit, or what it lacks, to stand behind its path. */
function readLimit(value: unknown): DecisionLimit | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' that is a JSON object';
  const { policy, rule_id, rule_version, override_id, allowed, limit, window_ms, remaining, reset_ms, retry_ms, source, reason } = value as Readonly<Record<string, unknown>>;
  if (!isName(policy)) return `.policy ${NAME}`;
  if (!isName(rule_id)) return `.rule_id ${NAME}`;
  if (!isCount(rule_version)) return `.rule_version ${COUNT}`;
  if (override_id !== null && !isName(override_id)) return '.override_id that is null or a string of 1 to 256 characters';
  if (typeof allowed !== 'boolean') return '.allowed that is true or false';
  if (!isCount(limit)) return `.limit ${COUNT}`;
  if (!isCount(window_ms)) return `.window_ms ${COUNT}`;
  if (!isCount(remaining)) return `.remaining ${COUNT}`;
  if (!isCount(reset_ms)) return `.reset_ms ${COUNT}`;
  if (retry_ms !== -1 && !isCount(retry_ms)) return '.retry_ms that is an integer of at least -1';
  if (!isName(source)) return `.source ${NAME}`;
  if (!isName(reason)) return `.reason ${NAME}`;
  return {
    policy,
    rule_id,
    rule_version: rule_version + 0,
    override_id,
    allowed,
    limit: limit + 0,
    window_ms: window_ms + 0,
    remaining: remaining + 0,
    reset_ms: reset_ms + 0,
    retry_ms: retry_ms + 0,
    source,
    reason,
  };
}
