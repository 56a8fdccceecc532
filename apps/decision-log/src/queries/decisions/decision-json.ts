import type { DecisionEvent, DecisionLimit } from '@sluice/events';
import type { DecisionLimitResource, DecisionResource } from './decision.dto.js';

/** An event as the API has it: times ISO, spans in seconds. A tenant is not told which node it was. */
export function decisionJson(event: DecisionEvent, { forTenant }: { readonly forTenant: boolean }): DecisionResource {
  const { event_id, kind, allowed, reason, source, cost, attributes, snapshot_version, sampled_share, region, app, node_id } = event;
  return {
    event_id,
    kind,
    at: new Date(event.at_ms).toISOString(),
    key_id: attributes['key_id'] ?? null,
    allowed,
    reason,
    source,
    cost,
    retry_after_seconds: event.retry_after_ms === null ? null : event.retry_after_ms / 1_000,
    attributes,
    limits: event.limits.map(limitJson),
    snapshot_version,
    sampled_share,
    region,
    app,
    ...(forTenant ? {} : { node_id }),
  };
}

/** One limit as the API has it; a wait that never ends is null. */
export function limitJson({ window_ms, reset_ms, retry_ms, ...rest }: DecisionLimit): DecisionLimitResource {
  const { policy, rule_id, rule_version, override_id, allowed, limit, remaining, source, reason } = rest;
  return {
    policy,
    rule_id,
    rule_version,
    override_id,
    allowed,
    limit,
    window_seconds: window_ms / 1_000,
    remaining,
    reset_seconds: reset_ms / 1_000,
    retry_after_seconds: retry_ms < 0 ? null : retry_ms / 1_000,
    source,
    reason,
  };
}
