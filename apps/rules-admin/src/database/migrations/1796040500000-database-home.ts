import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the database was when its epoch began, and when the version that nodes have was committed, so that one that was restored shows. A home of null, as on every database so
 * far, fits nowhere: its epoch begins anew.
 */
export class DatabaseHome1796040500000 implements MigrationInterface {
  name = 'DatabaseHome1796040500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE config_version ADD COLUMN home text, ADD COLUMN snapshot_changed_at timestamptz NOT NULL DEFAULT clock_timestamp()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE config_version DROP COLUMN home, DROP COLUMN snapshot_changed_at`);
  }
}
