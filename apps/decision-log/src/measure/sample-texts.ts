/** Messages as the topic has them: one limit each, of many keys, the allowed ones sampled. */
export function sampleTexts(from: number, length: number, firstMs: number): string[] {
  return Array.from({ length }, (_, index) => sampleText(from + index, firstMs));
}

function sampleText(n: number, firstMs: number): string {
  const allowed = n % 4 === 0;
  const key = (n * 7919) % 100_003;
  return JSON.stringify({
    schema_version: 1,
    event_id: `gateway-7-5f3a:${String(n)}`,
    kind: 'decision',
    at_ms: firstMs + Math.floor(n / 100),
    region: 'eu',
    node_id: 'gateway-7',
    app: 'gateway',
    snapshot_version: 1_234,
    sampled_share: allowed ? 0.01 : 1,
    allowed,
    reason: allowed ? 'ok' : 'quota',
    source: 'local',
    cost: 1,
    retry_after_ms: allowed ? null : 1_200,
    attributes: { domain: 'api', plan: 'pro', endpoint: `GET /v1/items/${String(n % 40)}`, key_id: `key_${String(key).padStart(6, '0')}`, tenant_id: `tenant_${String(key % 997)}`, ip: `203.0.113.${String(n % 256)}` },
    limits: [{ policy: 'default', rule_id: `rule-${String(n % 50)}`, rule_version: 12, override_id: null, allowed, limit: 1_000, window_ms: 60_000, remaining: n % 1_000, reset_ms: 30_000 + (n % 30_000), retry_ms: allowed ? 0 : 1_200, source: 'local', reason: allowed ? 'ok' : 'quota' }],
  });
}
