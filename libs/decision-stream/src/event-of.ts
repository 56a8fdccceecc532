import { DECISION_SCHEMA_VERSION, type DecisionEvent, type DecisionKind, type DecisionLimit } from '@sluice/events';
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
export function eventOf({ producer, region, nodeId, app }: EventPlace, noted: Noted, attributes: DecisionEvent['attributes']): DecisionEvent {
  const { kind, at_ms, snapshot_version, allowed, reason, source, cost, retry_after_ms, limits } = happeningOf(noted);
  return {
    schema_version: DECISION_SCHEMA_VERSION,
    event_id: `${producer}:${String(noted.sequence)}`,
    kind,
    at_ms,
    region,
    node_id: nodeId,
    app,
    snapshot_version,
    sampled_share: noted.share,
    allowed,
    reason,
    source,
    cost,
    retry_after_ms,
    attributes,
    limits,
  };
}

type Happening = Pick<DecisionEvent, 'kind' | 'at_ms' | 'snapshot_version' | 'allowed' | 'reason' | 'source' | 'cost' | 'retry_after_ms' | 'limits'>;

function happeningOf(noted: Noted): Happening {
  const { subject } = noted;
  if (typeof subject === 'string') return refusal('unauthenticated', noted, subject, []);
  if ('rule' in subject) return refusal('shadow', noted, 'shadow', [inShadow(subject)]);
  const { nowMs, snapshotVersion, allowed, reason, deciding, cost, retryAfterMs } = subject;
  return {
    kind: 'decision',
    at_ms: nowMs,
    snapshot_version: snapshotVersion,
    allowed,
    reason,
    source: deciding?.source ?? 'none',
    cost,
    retry_after_ms: retryAfterMs ?? null,
    limits: limitsOf(subject),
  };
}

/** Of what is no decision neither a cost nor a wait is known. */
function refusal(kind: DecisionKind, { atMs, snapshotVersion }: Noted, reason: string, limits: readonly DecisionLimit[]): Happening {
  return { kind, at_ms: atMs, snapshot_version: snapshotVersion, allowed: false, reason, source: 'none', cost: 0, retry_after_ms: null, limits };
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
