import { DataSource } from 'typeorm';
import { databaseOptions } from './database-options.js';

/** Any number will do, as long as all who migrate this database take the same. */
const MIGRATION_LOCK = 7_588_423;

/**
 * Brings the schema up to date. Several processes may do so at once: an advisory lock lets one of them work, and the others find it
 * done. The lock belongs to a connection of its own and ends with it, also when the process dies.
 *
 * @returns names of the migrations that ran
 */
export async function migrate(url: string): Promise<readonly string[]> {
  const dataSource = new DataSource(databaseOptions(url, { patient: true }));
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    try {
      await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const ran = await dataSource.runMigrations({ transaction: 'all' });
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      return ran.map(({ name }) => name);
    } finally {
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
