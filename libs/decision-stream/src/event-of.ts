import { DECISION_SCHEMA_VERSION, type DecisionEvent, type DecisionKind, type DecisionLimit } from '@sluice/events';
import type { Decision } from '@sluice/limiter';
import type { AppliedRule } from '@sluice/rules';
import { limitsOf } from './limits-of.js';
import type { Noted } from './noted.js';

/** What all events of a stream have in common. */
export interface EventPlace {
  /** Names this start of this process: 1 to 64 letters, digits, _ or -. */
  readonly producer: string;
  readonly region: string;
  readonly nodeId: string;
  readonly app: string;
}

/** The event of what was noted. @param attributes as they are sent. */
export function eventOf(place: EventPlace, noted: Noted, attributes: DecisionEvent['attributes']): DecisionEvent {
  const { subject, atMs, snapshotVersion } = noted;
  if (typeof subject === 'string') return event(place, noted, 'unauthenticated', atMs, snapshotVersion, refusal(subject), attributes, []);
  if ('rule' in subject) return event(place, noted, 'shadow', atMs, snapshotVersion, refusal('shadow'), attributes, [inShadow(subject)]);
  return event(place, noted, 'decision', subject.nowMs, subject.snapshotVersion, saidBy(subject), attributes, limitsOf(subject));
}

type Said = Pick<DecisionEvent, 'allowed' | 'reason' | 'source' | 'cost' | 'retry_after_ms'>;

function event(
  { producer, region, nodeId, app }: EventPlace,
  { sequence, share }: Noted,
  kind: DecisionKind,
  at_ms: number,
  snapshot_version: number,
  { allowed, reason, source, cost, retry_after_ms }: Said,
  attributes: DecisionEvent['attributes'],
  limits: readonly DecisionLimit[],
): DecisionEvent {
  return {
    schema_version: DECISION_SCHEMA_VERSION,
    event_id: `${producer}:${String(sequence)}`,
    kind,
    at_ms,
    region,
    node_id: nodeId,
    app,
    snapshot_version,
    sampled_share: share,
    allowed,
    reason,
    source,
    cost,
    retry_after_ms,
    attributes,
    limits,
  };
}

function saidBy({ allowed, reason, deciding, cost, retryAfterMs }: Decision): Said {
  return { allowed, reason, source: deciding?.source ?? 'none', cost, retry_after_ms: retryAfterMs ?? null };
}

function refusal(reason: string): Said {
  return { allowed: false, reason, source: 'none', cost: 0, retry_after_ms: null };
}

/** Of a verdict in shadow no more is known than that the limit refuses. */
function inShadow({ rule, quota, overrideId }: AppliedRule): DecisionLimit {
  return {
    policy: rule.policy,
    rule_id: rule.ruleId,
    rule_version: rule.version,
    override_id: overrideId ?? null,
    allowed: false,
    limit: quota.limit,
    window_ms: quota.windowMs,
    remaining: 0,
    reset_ms: 0,
    retry_ms: 0,
    source: 'none',
    reason: 'quota',
  };
}
