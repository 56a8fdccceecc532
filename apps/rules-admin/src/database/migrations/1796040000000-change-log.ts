import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each version did, by whom and when (R60), and which versions nodes have yet to be told of (R55). What is there already enters the log as its
 * baseline, so that "what was in force at" has an answer from now on. Only additions: processes of the version before go on beside it, without a log.
 */
export class ChangeLog1796040000000 implements MigrationInterface {
  name = 'ChangeLog1796040000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE config_version ADD COLUMN changed_at timestamptz NOT NULL DEFAULT clock_timestamp()`);
    await runner.query(`
      CREATE TABLE config_change (
        version bigint NOT NULL CONSTRAINT config_change_pkey PRIMARY KEY,
        changed_at timestamptz NOT NULL,
        actor text NOT NULL,
        request_id text,
        reaches_nodes boolean NOT NULL
      )`);
    await runner.query(`CREATE INDEX config_change_changed_at ON config_change (changed_at)`);
    await runner.query(`CREATE INDEX config_change_actor ON config_change (actor, version)`);
    await runner.query(`CREATE INDEX config_change_request_id ON config_change (request_id)`);
    await runner.query(`
      CREATE TABLE audit_entry (
        version bigint NOT NULL,
        ordinal integer NOT NULL,
        kind text NOT NULL,
        id text COLLATE "C" NOT NULL,
        action text NOT NULL CONSTRAINT audit_entry_action CHECK (action IN ('baseline', 'created', 'updated', 'deleted')),
        from_version bigint,
        to_version bigint,
        before jsonb,
        after jsonb,
        note text,
        CONSTRAINT audit_entry_pkey PRIMARY KEY (version, ordinal)
      )`);
    await runner.query(`CREATE INDEX audit_entry_resource ON audit_entry (kind, id, version, ordinal)`);
    await runner.query(`
      CREATE FUNCTION refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The change log is append-only.' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    for (const table of ['config_change', 'audit_entry']) {
      await runner.query(`CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_log()`);
    }
    await runner.query(`
      CREATE TABLE outbox (
        version bigint NOT NULL CONSTRAINT outbox_pkey PRIMARY KEY,
        created_at timestamptz NOT NULL
      )`);
    for (const table of ['plan', 'tenant', 'api_key', 'rule', 'tombstone']) await runner.query(`CREATE INDEX ${table}_changed_at_version ON ${table} (changed_at_version)`);
    await this.baseline(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['plan', 'tenant', 'api_key', 'rule', 'tombstone']) await runner.query(`DROP INDEX ${table}_changed_at_version`);
    for (const table of ['outbox', 'audit_entry', 'config_change']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`DROP FUNCTION refuse_change_of_log()`);
    await runner.query(`ALTER TABLE config_version DROP COLUMN changed_at`);
  }

  private async baseline(runner: QueryRunner): Promise<void> {
    const resources = `
      SELECT 'plan' AS kind, plan_id AS id, version, jsonb_strip_nulls(jsonb_build_object('plan_id', plan_id, 'name', name, 'version', version, 'default_limit', default_limit)) AS json FROM plan
      UNION ALL SELECT 'tenant', tenant_id, version, jsonb_build_object('tenant_id', tenant_id, 'name', name, 'plan_id', plan_id, 'version', version) FROM tenant
      UNION ALL SELECT 'key', key_id, version, jsonb_build_object('key_id', key_id, 'tenant_id', tenant_id, 'name', name, 'disabled', disabled, 'version', version) FROM api_key
      UNION ALL SELECT 'rule', rule_id, version, jsonb_strip_nulls(jsonb_build_object('rule_id', rule_id, 'version', version, 'plan', plan, 'endpoint', endpoint)) || definition FROM rule`;
    // Two, where nodes are behind: what was in force is then at their version, and what changed since did not concern them.
    await runner.query(`
      INSERT INTO config_change (version, changed_at, actor, reaches_nodes)
      SELECT snapshot_version, changed_at, 'system:migration', true FROM config_version
      UNION ALL SELECT version, changed_at, 'system:migration', false FROM config_version WHERE version > snapshot_version`);
    await runner.query(`
      INSERT INTO audit_entry (version, ordinal, kind, id, action, to_version, after)
      SELECT config_version.version, row_number() OVER (ORDER BY resource.kind, resource.id) - 1, resource.kind, resource.id, 'baseline', resource.version, resource.json
      FROM config_version, (${resources}) AS resource`);
  }
}
