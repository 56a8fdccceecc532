import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secret that a key had before its last rotation, for as long as both are good (R50). Only additions: processes of the version before know the newer secret alone. */
export class KeyRotation1796040300000 implements MigrationInterface {
  name = 'KeyRotation1796040300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_key ADD COLUMN previous_sha256 text COLLATE "C", ADD COLUMN previous_expires_at timestamptz`);
    await runner.query(`
      ALTER TABLE api_key ADD CONSTRAINT api_key_previous
      CHECK ((previous_sha256 IS NULL) = (previous_expires_at IS NULL) AND (previous_sha256 ~ '^[0-9a-f]{64}$'))`);
    await runner.query(`CREATE UNIQUE INDEX api_key_previous_sha256 ON api_key (previous_sha256)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_key DROP COLUMN previous_sha256, DROP COLUMN previous_expires_at`);
  }
}
