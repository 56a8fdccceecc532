import { randomBytes } from 'node:crypto';
import { sharedServer } from '../run/shared-server.js';
import { startClickHouse } from './clickhouse-server.js';
import { type ClickHouseMissing, findClickHouse } from './find-clickhouse.js';

/** A database of one's own, which is made by whoever uses it first. */
export interface ClickHouseDatabase {
  /** `http://127.0.0.1:PORT/DATABASE` */
  readonly url: string;
  /** Removes it, with all that is in it. */
  drop(): Promise<void>;
}

/**
 * A name for a database on the run's one ClickHouse, where there is none yet; `SLUICE_TEST_CLICKHOUSE_URL` names another server, whose user must be allowed to
 * create and drop databases. Where none can be had: why.
 */
export async function sharedClickHouse(): Promise<ClickHouseDatabase | ClickHouseMissing> {
  const given = process.env['SLUICE_TEST_CLICKHOUSE_URL'];
  if (given !== undefined) return database(given);
  const found = await findClickHouse();
  return 'missing' in found ? found : database(await runServerUrl());
}

function database(serverUrl: string): ClickHouseDatabase {
  const name = `sluice_test_${randomBytes(8).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      const { username, password, origin } = url;
      const login = Buffer.from(`${decodeURIComponent(username === '' ? 'default' : username)}:${decodeURIComponent(password)}`).toString('base64');
      const answer = await fetch(origin, { method: 'POST', body: `DROP DATABASE IF EXISTS ${name}`, headers: { authorization: `Basic ${login}` } });
      if (!answer.ok) throw new Error(`the database ${name} was not dropped: ${await answer.text()}`);
    },
  };
}

function runServerUrl(): Promise<string> {
  return sharedServer('clickhouse', async () => {
    const server = await startClickHouse({ lifetime: 'run' });
    if ('missing' in server) throw new Error(`ClickHouse was found and is not there: ${server.missing}`);
    return { address: server.url, pids: [server.pid] };
  });
}
