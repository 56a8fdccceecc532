import type { Logger } from '@sluice/platform';
import { isMissingDatabase } from './clickhouse-faults.js';
import { ClickHouseSession } from './clickhouse-session.js';
import type { ClickHouseSettings } from './clickhouse-store-options.js';
import { type Migration, MIGRATIONS, MIGRATIONS_TABLE } from './migrations.js';
import { keepTtl } from './retention.js';

/**
 * Makes the database and its tables, or brings them to this release's shape. Any number of replicas may do so at once: no statement minds that another has run it.
 */
export async function migrate(session: ClickHouseSession, settings: ClickHouseSettings): Promise<void> {
  await makeDatabase(session, settings);
  await session.command(MIGRATIONS_TABLE);
  const taken = new Set((await session.read<{ readonly version: number }>('SELECT DISTINCT version FROM decision_log_migrations')).map(({ version }) => version));
  for (const migration of MIGRATIONS) {
    if (!taken.has(migration.version)) await take(session, migration, settings.logger);
  }
  await keepTtl(session, settings.retentionMs);
}

async function take(session: ClickHouseSession, { version, name, statements }: Migration, logger: Logger | undefined): Promise<void> {
  for (const statement of statements) await session.command(statement);
  await session.insert('decision_log_migrations', ['version', 'name'], [[version, name]]);
  logger?.info({ version, name, clickhouse: session.place }, 'a step of the schema of decisions was taken');
}

/** Where it is there nothing is asked of the user's rights to make one. */
async function makeDatabase(session: ClickHouseSession, settings: ClickHouseSettings): Promise<void> {
  try {
    await session.read('SELECT 1');
  } catch (error) {
    if (!isMissingDatabase(error)) throw error;
    const outside = new ClickHouseSession(settings, 'default');
    try {
      await outside.command(`CREATE DATABASE IF NOT EXISTS \`${session.database.replace(/[\\`]/g, '\\$&')}\``);
    } finally {
      await outside.close();
    }
  }
}
