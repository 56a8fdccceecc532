import type { DecisionEvent } from '@sluice/events';
import { decisionJson, limitJson } from '../decisions/decision-json.js';
import type { DecisionExplanation, ExplainedLimitResource, OverrideThenResource, RuleThenResource } from './explanation.dto.js';
import type { Facts, LimitFacts, OverrideStory } from './facts.js';
import { callersText } from './callers-text.js';
import { toldOf } from './told.js';

/** Who reads it, and what time was asked about. */
export interface Reader {
  readonly forTenant: boolean;
  readonly atMs: number | undefined;
}

/** The facts as the API has them; sentence and notes come beside. */
export function explanationJson(facts: Facts, { forTenant, atMs }: Reader): Omit<DecisionExplanation, 'sentence' | 'notes'> {
  const { event, around } = facts;
  const told = toldOf(event);
  return {
    found: foundOf(event),
    decision: decisionJson(event, { forTenant }),
    ...(atMs === undefined ? {} : { seconds_from_at: (event.at_ms - atMs) / 1_000 }),
    ...(told === undefined ? {} : { told: { status: told.status, retry_after_seconds: told.retryAfterSeconds ?? null, retry_at: isoOrNull(told.retryAtMs) } }),
    limits: facts.limits.map((limit, at) => explainedLimit(limit, at === 0, forTenant)),
    around: {
      from: new Date(around.fromMs).toISOString(),
      to: new Date(around.toMs).toISOString(),
      refused: around.refused,
      requests: around.requests,
      sampled: around.sampled,
      standard_error: around.standardError,
    },
    control_plane_answered: facts.unavailable === undefined,
  };
}

function foundOf({ kind, allowed }: DecisionEvent): DecisionExplanation['found'] {
  return kind === 'decision' ? (allowed ? 'decision' : 'refusal') : kind;
}

function explainedLimit(facts: LimitFacts, deciding: boolean, forTenant: boolean): ExplainedLimitResource {
  const { limit, override, inForce } = facts;
  const now = inForce?.limit;
  return {
    ...limitJson(limit),
    deciding,
    rule: ruleThen(facts, forTenant),
    override: override === undefined ? null : overrideThen(override, forTenant),
    in_force_known: inForce !== undefined,
    in_force_now: now === undefined ? null : { rule_id: now.ruleId, rule_version: now.ruleVersion, override_id: now.overrideId ?? null, limit: now.limit, window_seconds: now.windowMs / 1_000 },
  };
}

function ruleThen({ text, since }: LimitFacts, forTenant: boolean): RuleThenResource {
  const shown = (json: Readonly<Record<string, unknown>> | undefined): object | null => (json === undefined ? null : forTenant ? callersText(json) : json);
  return {
    state: since.state,
    text: shown(text?.json),
    now: since.state === 'changed' ? shown(since.now?.json) : null,
    changed_at: isoOrNull(since.changes[0]?.atMs),
  };
}

function overrideThen({ overrideId, state, then, endedAtMs }: OverrideStory, forTenant: boolean): OverrideThenResource {
  return {
    override_id: overrideId,
    state,
    limit: then?.limit ?? null,
    expires_at: isoOrNull(then?.expiresAtMs),
    ended_at: isoOrNull(endedAtMs),
    ...(forTenant || then?.reason === undefined ? {} : { reason: then.reason }),
  };
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
