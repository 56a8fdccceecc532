import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Plans, tenants, keys, rules, what was deleted, and the row that hands out versions. Ids collate as "C": pages are cut by id, and the
 * order must not depend on the operating system's locale.
 */
export class ControlPlane1764460800000 implements MigrationInterface {
  name = 'ControlPlane1764460800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE config_version (
        id smallint NOT NULL DEFAULT 1 CONSTRAINT config_version_pkey PRIMARY KEY CONSTRAINT config_version_one_row CHECK (id = 1),
        version bigint NOT NULL,
        snapshot_version bigint NOT NULL,
        epoch text NOT NULL,
        CONSTRAINT config_version_order CHECK (snapshot_version BETWEEN 0 AND version)
      )`);
    await runner.query(`INSERT INTO config_version (version, snapshot_version, epoch) VALUES (0, 0, left(replace(gen_random_uuid()::text, '-', ''), 12))`);
    await runner.query(`
      CREATE TABLE plan (
        plan_id text COLLATE "C" NOT NULL CONSTRAINT plan_pkey PRIMARY KEY,
        name text,
        default_limit jsonb,
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE tenant (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT tenant_pkey PRIMARY KEY,
        name text NOT NULL,
        plan_id text COLLATE "C" NOT NULL CONSTRAINT tenant_plan_id_fkey REFERENCES plan (plan_id),
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`CREATE INDEX tenant_plan_id ON tenant (plan_id)`);
    await runner.query(`
      CREATE TABLE api_key (
        key_id text COLLATE "C" NOT NULL CONSTRAINT api_key_pkey PRIMARY KEY,
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT api_key_tenant_id_fkey REFERENCES tenant (tenant_id),
        name text NOT NULL,
        secret_sha256 text COLLATE "C" NOT NULL CONSTRAINT api_key_secret_is_hash CHECK (secret_sha256 ~ '^[0-9a-f]{64}$'),
        disabled boolean NOT NULL,
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`CREATE INDEX api_key_tenant_id ON api_key (tenant_id)`);
    await runner.query(`CREATE UNIQUE INDEX api_key_secret_sha256 ON api_key (secret_sha256)`);
    await runner.query(`
      CREATE TABLE rule (
        rule_id text COLLATE "C" NOT NULL CONSTRAINT rule_pkey PRIMARY KEY,
        plan text COLLATE "C" CONSTRAINT rule_plan_fkey REFERENCES plan (plan_id),
        endpoint text,
        definition jsonb NOT NULL CONSTRAINT rule_limit_is_positive CHECK ((definition ->> 'limit')::numeric >= 1),
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`CREATE INDEX rule_plan_endpoint ON rule (plan, endpoint)`);
    await runner.query(`
      CREATE TABLE tombstone (
        kind text NOT NULL,
        id text COLLATE "C" NOT NULL,
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL,
        CONSTRAINT tombstone_pkey PRIMARY KEY (kind, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['tombstone', 'rule', 'api_key', 'tenant', 'plan', 'config_version']) await runner.query(`DROP TABLE ${table}`);
  }
}
