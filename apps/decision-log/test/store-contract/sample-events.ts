import type { DecisionEvent, DecisionLimit } from '@sluice/events';

/** A limit of an event, with what a test says of it. */
export function limitOf(fields: Partial<DecisionLimit> = {}): DecisionLimit {
  return {
    policy: 'default',
    rule_id: 'search',
    rule_version: 3,
    override_id: null,
    allowed: true,
    limit: 100,
    window_ms: 60_000,
    remaining: 41,
    reset_ms: 12_345,
    retry_ms: 0,
    source: 'local',
    reason: 'ok',
    ...fields,
  };
}

/** An event, with what a test says of it. */
export function eventOf(fields: Partial<DecisionEvent> & Pick<DecisionEvent, 'event_id' | 'at_ms'>): DecisionEvent {
  return {
    schema_version: 1,
    kind: 'decision',
    region: 'eu',
    node_id: 'node-1',
    app: 'gateway',
    snapshot_version: 7,
    sampled_share: 1,
    allowed: true,
    reason: 'ok',
    source: 'local',
    cost: 1,
    retry_after_ms: null,
    attributes: { domain: 'api', plan: 'free', endpoint: 'GET /v1/search', key_id: 'k1', tenant_id: 't1' },
    limits: [limitOf()],
    ...fields,
  };
}
