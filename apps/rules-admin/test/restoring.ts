import type { PostgresServer } from '@sluice/testkit';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

/** A database restored beside and renamed, under whoever is connected. */
export interface RestorableDatabase {
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

/** For a database of a server whose user may create others. */
export function restorableDatabase(url: string): RestorableDatabase {
  const name = new URL(url).pathname.slice(1);
  const adminUrl = new URL(url);
  adminUrl.pathname = '/postgres';
  const alone = (of: string, statement: string): Promise<void> =>
    withPostgres(adminUrl.href, async (client) => {
      await client.query(`ALTER DATABASE ${of} ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [of]);
      await client.query(statement);
    });
  return {
    async backUp() {
      await alone(name, `CREATE DATABASE bak_${name} TEMPLATE ${name}`);
      await withPostgres(adminUrl.href, (client) => client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`));
    },
    async restore() {
      await alone(name, `DROP DATABASE ${name}`);
      await withPostgres(adminUrl.href, (client) => client.query(`ALTER DATABASE bak_${name} RENAME TO ${name}`));
    },
  };
}

/** The files of a whole server, copied while it is down and put back in place: nothing in the database tells that it happened. */
export interface RestorableFiles {
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

export function restorableFiles(server: PostgresServer): RestorableFiles {
  let folder = '';
  return {
    async backUp() {
      folder = await dataFolder(server);
      await server.kill();
      await run('cp', ['-a', folder, `${folder}.bak`]);
      await server.restart();
    },
    async restore() {
      await server.kill();
      await run('rm', ['-rf', folder]);
      await run('mv', [`${folder}.bak`, folder]);
      await server.restart();
    },
  };
}

/** Makes a standby of the server, which takes no writes until it is promoted. */
export async function becomeStandby(server: PostgresServer): Promise<void> {
  await writeFile(`${await dataFolder(server)}/standby.signal`, '');
  await server.restart();
}

export async function promote({ url }: PostgresServer): Promise<void> {
  await withPostgres(url, (client) => client.query('SELECT pg_promote(true, 20)'));
}

function dataFolder({ url }: PostgresServer): Promise<string> {
  return withPostgres(url, async (client) => (await client.query<{ data_directory: string }>('SHOW data_directory')).rows[0]?.data_directory ?? '');
}

async function withPostgres<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
