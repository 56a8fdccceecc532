import type { Snapshot } from '@sluice/rules';

/** The size that a node is built for: 5,000 rules and 10,000 overrides. */
export function largeSnapshot(version: number): Snapshot {
  const rules = Array.from({ length: 5_000 }, (_, at) => ({
    rule_id: `rule-${at}`,
    version,
    plan: `plan-${at % 20}`,
    endpoint: `GET /v1/area${Math.floor(at / 20)}/{id}`,
    limit: 100 + version,
    window_seconds: 60,
  }));
  const overrides = Array.from({ length: 10_000 }, (_, at) => ({
    override_id: `override-${at}`,
    rule_id: `rule-${at % 5_000}`,
    key_id: `key-${at}`,
    limit: 7,
    expires_at: '2035-01-01T00:00:00Z',
  }));
  return { version, plans: Array.from({ length: 20 }, (_, at) => ({ plan_id: `plan-${at}` })), rules, overrides };
}
