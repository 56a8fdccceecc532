import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { databaseOptions } from './database-options.js';

/** Any number will do, as long as all who migrate this database take the same. */
const MIGRATION_LOCK = 7_588_423;
const LOOK_MS = 200;

/** How to wait for another process that migrates. */
export interface MigrateOptions {
  /** Ends the wait. What has begun to migrate ends by itself. */
  readonly signal?: AbortSignal;
  /** Called once if there is a wait. */
  readonly onWait?: () => void;
}

/**
 * Brings the schema up to date. Several processes may do so at once: an advisory lock lets one of them work, and the others find it
 * done. The lock belongs to a connection of its own and ends with it, also when the process dies.
 *
 * @returns names of the migrations that ran
 * @throws the reason of `signal`, once that is aborted while it waits
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const dataSource = new DataSource(databaseOptions(url, { patient: true }));
  await dataSource.initialize();
  try {
    const lock = dataSource.createQueryRunner();
    try {
      await take(lock, options);
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

/** By looking again and again: whoever waits within PostgreSQL cannot be told to stop. */
async function take(lock: QueryRunner, { signal, onWait }: MigrateOptions): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    signal?.throwIfAborted();
    const [taken] = (await lock.query('SELECT pg_try_advisory_lock($1) AS held', [MIGRATION_LOCK])) as { readonly held: boolean }[];
    if (taken?.held === true) return;
    if (looks === 0) onWait?.();
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
