import type { DecisionEvent, DecisionLimit } from '@sluice/events';

/** A limit of a {@link decisionEvent} that refused. */
export function refusingLimit(more: Partial<DecisionLimit> = {}): DecisionLimit {
  return {
    policy: 'default',
    rule_id: 'free-default',
    rule_version: 1,
    override_id: null,
    allowed: false,
    limit: 60,
    window_ms: 60_000,
    remaining: 0,
    reset_ms: 41_200,
    retry_ms: 11_800,
    source: 'store',
    reason: 'quota',
    ...more,
  };
}

let sequence = 0;

/** An event as nodes send them: a refusal by {@link refusingLimit}, unless told otherwise; each with an id of its own. */
export function decisionEvent(more: Partial<DecisionEvent> & Pick<DecisionEvent, 'at_ms'>): DecisionEvent {
  sequence += 1;
  return {
    schema_version: 1,
    event_id: `story:${sequence}`,
    kind: 'decision',
    region: 'eu',
    node_id: 'gateway-7f9c',
    app: 'gateway',
    snapshot_version: 1,
    sampled_share: 1,
    allowed: false,
    reason: 'quota',
    source: 'store',
    cost: 1,
    retry_after_ms: 11_800,
    attributes: { key_id: 'k1', tenant_id: 'acme', plan: 'free', endpoint: 'GET /v1/items/{id}' },
    limits: [refusingLimit()],
    ...more,
  };
}
