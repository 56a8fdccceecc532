import type { DecisionEvent, DecisionLimit } from '@sluice/events';
import type { Rule } from '@sluice/rules';
import { limitInForce } from './limit-in-force.js';

const NOW = { policy: 'default', ruleId: 'r', ruleVersion: 2, overrideId: undefined, limit: 5, windowMs: 1_000 };
const IN_FORCE = { limits: [NOW], plan: 'free', keyDisabled: false };
const RULE: Rule = { rule_id: 'r', version: 1, limit: 5, window_seconds: 1 };
const limit = (policy: string): DecisionLimit => ({ policy, rule_id: 'r', rule_version: 1, override_id: null, allowed: false, limit: 5, window_ms: 1_000, remaining: 0, reset_ms: 0, retry_ms: 0, source: 'store', reason: 'quota' });
const event = (attributes: Readonly<Record<string, string>>): DecisionEvent => ({
  schema_version: 1, event_id: 'p:1', kind: 'decision', at_ms: 0, region: 'eu', node_id: 'n', app: 'gateway', snapshot_version: 1, sampled_share: 1,
  allowed: false, reason: 'quota', source: 'store', cost: 1, retry_after_ms: null, attributes, limits: [],
});

describe('R82 what applies in place of a limit now', () => {
  it('is that of its policy, or nothing', () => {
    expect(limitInForce(limit('default'), event({ key_id: 'k' }), RULE, IN_FORCE)).toEqual({ limit: NOW });
    const another = { ...NOW, ruleId: 'another' };
    expect(limitInForce(limit('default'), event({ key_id: 'k' }), RULE, { ...IN_FORCE, limits: [another] })).toEqual({ limit: another });
    expect(limitInForce(limit('other'), event({ key_id: 'k' }), RULE, { ...IN_FORCE, limits: [another] })).toEqual({ limit: undefined });
  });

  it('is that of its rule first, which may have got another policy', () => {
    const other = { ...NOW, policy: 'default', ruleId: 'catch-all', limit: 9 };
    const moved = { ...NOW, policy: 'search' };
    expect(limitInForce(limit('default'), event({ key_id: 'k' }), RULE, { ...IN_FORCE, limits: [other, moved] })).toEqual({ limit: moved });
    expect(limitInForce(limit('default'), event({ key_id: 'k' }), RULE, { ...IN_FORCE, limits: [other] })).toEqual({ limit: other });
  });

  it.each<[string, Rule | undefined, Readonly<Record<string, string>>]>([
    ['the rule then is not known', undefined, { key_id: 'k' }],
    ['the event lacks what it counts by', { ...RULE, count_by: ['key_id', 'shard'] }, { key_id: 'k' }],
    ['the event lacks the key', RULE, { ip: '203.0.113.9' }],
    ['the event lacks a descriptor', { ...RULE, descriptors: { region: '*' } }, { key_id: 'k' }],
    ['the event lacks the endpoint', { ...RULE, endpoint: 'GET /a' }, { key_id: 'k' }],
  ])('cannot be told where %s', (_why, rule, attributes) => {
    expect(limitInForce(limit('default'), event(attributes), rule, IN_FORCE)).toBeUndefined();
  });

  it('cannot be told without the control plane', () => {
    expect(limitInForce(limit('default'), event({ key_id: 'k' }), RULE, undefined)).toBeUndefined();
  });
});
