import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Overrides, the records of idempotent requests, and up to which version deletions may have been forgotten. Only additions: processes of the version
 * before go on beside it. They publish no overrides, and cannot delete a key that has some: create none before all replicas are of this version.
 */
export class Overrides1796040100000 implements MigrationInterface {
  name = 'Overrides1796040100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE override (
        override_id text COLLATE "C" NOT NULL CONSTRAINT override_pkey PRIMARY KEY,
        rule_id text COLLATE "C" NOT NULL,
        key_id text COLLATE "C" NOT NULL CONSTRAINT override_key_id_fkey REFERENCES api_key (key_id) DEFERRABLE INITIALLY DEFERRED,
        "limit" bigint NOT NULL CONSTRAINT override_limit_is_positive CHECK ("limit" >= 1),
        burst bigint,
        expires_at timestamptz(3) NOT NULL,
        reason text,
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`CREATE INDEX override_rule_id_key_id ON override (rule_id, key_id)`);
    await runner.query(`CREATE INDEX override_key_id ON override (key_id)`);
    await runner.query(`CREATE INDEX override_expires_at ON override (expires_at)`);
    await runner.query(`CREATE INDEX override_changed_at_version ON override (changed_at_version)`);
    await runner.query(`
      CREATE TABLE idempotency_record (
        actor text NOT NULL,
        route text NOT NULL,
        key text NOT NULL,
        request_sha256 text NOT NULL,
        status smallint NOT NULL,
        headers jsonb NOT NULL,
        body text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotency_record_pkey PRIMARY KEY (actor, route, key)
      )`);
    await runner.query(`CREATE INDEX idempotency_record_expires_at ON idempotency_record (expires_at)`);
    await runner.query(`ALTER TABLE config_version ADD COLUMN deletions_forgotten_version bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE config_version DROP COLUMN deletions_forgotten_version`);
    await runner.query(`DROP TABLE idempotency_record`);
    await runner.query(`DELETE FROM tombstone WHERE kind = 'override'`);
    await runner.query(`DROP TABLE override`);
  }
}
