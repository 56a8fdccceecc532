import { randomBytes } from 'node:crypto';
import { sharedServer } from '../run/shared-server.js';
import { startPostgres } from './postgres-server.js';
import { withPostgres } from './with-postgres.js';

/** A database of one's own. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * A fresh, empty database on the run's one server; `SLUICE_TEST_DATABASE_URL` names another server, whose user
 * must be allowed to create databases.
 */
export async function sharedPostgres(): Promise<TestDatabase> {
  const adminUrl = process.env['SLUICE_TEST_DATABASE_URL'] ?? (await runServerUrl());
  const name = `sluice_test_${randomBytes(8).toString('hex')}`;
  // template0 never has a session, which would make CREATE DATABASE fail.
  await withPostgres(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await withPostgres(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

function runServerUrl(): Promise<string> {
  return sharedServer('postgres', async () => {
    const { url, pid } = await startPostgres({ lifetime: 'run' });
    return { address: url, pids: [pid] };
  });
}
