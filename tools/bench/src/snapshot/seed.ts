import type { Client } from 'pg';

export const RULES = 5_000;
export const OVERRIDES = 10_000;

/** The size that the goals speak of: 5,000 rules of 50 plans, 10,000 overrides of as many keys. By SQL, in one version: only what is read of it is measured. */
export async function seed(client: Client): Promise<void> {
  await client.query(`
    WITH version AS (UPDATE config_version SET version = version + 1, snapshot_version = version + 1 RETURNING version),
    plans AS (INSERT INTO plan (plan_id, name, version, changed_at_version) SELECT 'plan-' || n, 'Plan ' || n, 1, version FROM generate_series(0, 49) AS n, version),
    tenants AS (INSERT INTO tenant (tenant_id, name, plan_id, version, changed_at_version) SELECT 'tenant-' || n, 'Tenant ' || n, 'plan-' || n, 1, version FROM generate_series(0, 49) AS n, version),
    keys AS (
      INSERT INTO api_key (key_id, tenant_id, name, secret_sha256, disabled, version, changed_at_version)
      SELECT 'key-' || n, 'tenant-' || n % 50, 'Key', encode(sha256(n::text::bytea), 'hex'), false, 1, version FROM generate_series(1, ${OVERRIDES}) AS n, version),
    rules AS (
      INSERT INTO rule (rule_id, plan, endpoint, definition, version, changed_at_version)
      SELECT 'rule-' || n, 'plan-' || n % 50, 'GET /v1/things-' || n || '/{id}/parts',
             jsonb_build_object('limit', 100 + n, 'window_seconds', 60, 'algorithm', 'sliding_counter', 'count_by', jsonb_build_array('key_id'), 'descriptors', jsonb_build_object('region', '*')), 1, version
      FROM generate_series(1, ${RULES}) AS n, version)
    INSERT INTO override (override_id, rule_id, key_id, "limit", expires_at, version, changed_at_version)
    SELECT 'override-' || md5(n::text), 'rule-' || 1 + n % ${RULES}, 'key-' || n, 1000 + n, '2099-01-01', 1, version FROM generate_series(1, ${OVERRIDES}) AS n, version`);
  await client.query('ANALYZE');
}

/** One override changes, in a version of its own. */
export async function changeOne(client: Client, at: number): Promise<void> {
  await client.query(
    `WITH version AS (UPDATE config_version SET version = version + 1, snapshot_version = version + 1 RETURNING version)
     UPDATE override SET "limit" = "limit" + 1, version = override.version + 1, changed_at_version = version.version FROM version WHERE key_id = $1`,
    [`key-${at}`],
  );
}

/** Another life of the database: whoever holds a version has to read everything anew. */
export async function changeEpoch(client: Client): Promise<void> {
  await client.query(`UPDATE config_version SET epoch = left(md5(random()::text), 12)`);
}
