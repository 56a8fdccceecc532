import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of the API. An addition: processes of the version before know only those of their environment. */
export class AdminTokens1796040200000 implements MigrationInterface {
  name = 'AdminTokens1796040200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin_token (
        name text COLLATE "C" NOT NULL CONSTRAINT admin_token_pkey PRIMARY KEY,
        role text NOT NULL CONSTRAINT admin_token_role CHECK (role IN ('viewer', 'editor', 'admin', 'node')),
        token_sha256 text COLLATE "C" NOT NULL CONSTRAINT admin_token_is_hash CHECK (token_sha256 ~ '^[0-9a-f]{64}$'),
        created_at timestamptz(3) NOT NULL,
        created_by text NOT NULL,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        version bigint NOT NULL,
        changed_at_version bigint NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX admin_token_sha256 ON admin_token (token_sha256)`);
    await runner.query(`CREATE INDEX admin_token_changed_at_version ON admin_token (changed_at_version)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM tombstone WHERE kind = 'token'`);
    await runner.query(`DROP TABLE admin_token`);
  }
}
