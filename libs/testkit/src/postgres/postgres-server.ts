import { postgresUser } from '@sluice/postgres-programs';
import { join } from 'node:path';
import { freePort } from '../net/free-port.js';
import { type Lifetime, ServerProcess } from '../run/server-process.js';
import { findPostgres, type PostgresPrograms } from './postgres-programs.js';
import { assertReachable } from './assert-reachable.js';
import { withPostgres } from './with-postgres.js';

const READY_TIMEOUT_MS = 60_000;
// Every Linux has C.UTF-8; macOS has only C, which there is UTF-8 all the same.
const UTF8_LOCALE = process.platform === 'linux' ? 'C.UTF-8' : 'C';

/** A real PostgreSQL server that this test owns. */
export interface PostgresServer {
  /** Of the database `postgres`, as a superuser. */
  readonly url: string;
  readonly port: number;
  /** Another one after `restart`. */
  readonly pid: number;
  /** kill -9 for the server and all its backends. What was committed is still there after `restart`. */
  kill(): Promise<void>;
  /** SIGSTOP for all of it: connections stay open, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it when it runs, and starts it on the same port and data; resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

/** How a server differs from the default. */
export interface PostgresOptions {
  /** Settings as `postgres` takes them: `['-c', 'max_connections=20']`. */
  readonly config?: readonly string[];
  readonly lifetime?: Lifetime;
  /** Default: found as the README says. */
  readonly programs?: PostgresPrograms;
}

// Files are left to the OS to write: a killed process loses nothing by that, only a crash of the machine does.
// synchronous_commit stays on, or kill -9 would lose what was committed.
const FAST = ['fsync=off', 'full_page_writes=off', 'max_wal_size=512MB', 'max_connections=200', 'unix_socket_directories='];

/** Starts a private PostgreSQL on a free port; resolves when it answers. About 1 s, most of it initdb. */
export async function startPostgres({ config = [], lifetime = 'process', programs }: PostgresOptions = {}): Promise<PostgresServer> {
  const [{ postgres, initdb }, port] = await Promise.all([programs ?? findPostgres(), freePort()]);
  const user = postgresUser();
  const server = new ServerProcess({
    name: `postgres-${port}`,
    command: postgres,
    args: (dataDir) => [
      ...['-D', join(dataDir, 'pg'), '-p', String(port), '-h', '127.0.0.1'],
      ...FAST.flatMap((setting) => ['-c', setting]),
      ...config,
    ],
    user,
    lifetime,
    stopSignal: 'SIGQUIT', // Immediate shutdown: no checkpoint, but its shared memory is given back.
  });
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;

  async function start(): Promise<void> {
    server.start();
    await server.untilReady(async () => {
      await withPostgres(url, (client) => client.query('SELECT 1'));
      return true;
    }, READY_TIMEOUT_MS);
  }

  try {
    if (user !== undefined) assertReachable(server.dataDir);
    await server.prepare(initdb, [
      ...['-D', join(server.dataDir, 'pg'), '--username=postgres', '--auth=trust'],
      ...['--encoding=UTF8', `--locale=${UTF8_LOCALE}`, '--no-sync', '--no-instructions'],
    ]);
    await start();
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    restart: async () => {
      await server.end('SIGINT', 10_000); // Fast shutdown: connections are cut, data is written.
      await start();
    },
    stop: () => server.dispose(),
  };
}
