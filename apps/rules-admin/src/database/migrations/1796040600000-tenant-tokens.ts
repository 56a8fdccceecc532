import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tokens of tenants. An addition: processes of the version before know no such role, so that it opens nothing there; they make none, and cannot delete a tenant that has
 * one (they answer 500 then, where this version says 409).
 */
export class TenantTokens1796040600000 implements MigrationInterface {
  name = 'TenantTokens1796040600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE admin_token ADD COLUMN tenant_id text COLLATE "C" CONSTRAINT admin_token_tenant_id_fkey REFERENCES tenant (tenant_id)`);
    await runner.query(`
      ALTER TABLE admin_token DROP CONSTRAINT admin_token_role,
      ADD CONSTRAINT admin_token_role CHECK (role IN ('viewer', 'editor', 'admin', 'node', 'tenant')),
      ADD CONSTRAINT admin_token_tenant CHECK ((role = 'tenant') = (tenant_id IS NOT NULL))`);
    await runner.query(`CREATE INDEX admin_token_tenant_id ON admin_token (tenant_id)`);
  }

  /** What the version before could not make head or tail of goes along; it finds it missing in its log, and says so there. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM admin_token WHERE role = 'tenant'`);
    await runner.query(`ALTER TABLE admin_token DROP COLUMN tenant_id, DROP CONSTRAINT admin_token_role, ADD CONSTRAINT admin_token_role CHECK (role IN ('viewer', 'editor', 'admin', 'node'))`);
  }
}
