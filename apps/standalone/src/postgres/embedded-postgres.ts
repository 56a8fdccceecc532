import { type OsUser, postgresUser } from '@sluice/postgres-programs';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { claimData } from './claim-data.js';
import { assertCanMake, makeDataDir } from './make-data-dir.js';
import { choosePlace, type Place } from './place.js';

/** A PostgreSQL server of this process. */
export interface EmbeddedPostgres {
  /** Of the database `postgres`; holds a password that only this machine's owner of the data can read. */
  readonly url: string;
  readonly dataDir: string;
  /** Fast shutdown: connections are cut, everything committed is on disk. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that came with npm, on a free loopback port, with its data below `dataDir` (see {@link choosePlace}); makes the
 * data on the first start. One that a killed process left running on the same data is stopped first.
 *
 * @throws StartError when another process runs on the same data, or there can be none in `dataDir`
 */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  assertCanMake(dataDir);
  const user = postgresUser();
  const place = await choosePlace(dataDir, user);
  makeDataDir(place.homeDir);
  if (user !== undefined) chownSync(place.homeDir, user.uid, user.gid);
  const giveBack = await claimData(place.homeDir);
  try {
    const url = await startServer(place, user);
    const data = dataOf(place);
    return {
      url,
      dataDir: data,
      stop: () => run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w', '-t', '8'], place, user).finally(giveBack),
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

function dataOf({ homeDir }: Place): string {
  return join(homeDir, 'data');
}

/** @returns the URL */
async function startServer(place: Place, user: OsUser | undefined): Promise<string> {
  const data = dataOf(place);
  const passwordFile = join(place.homeDir, 'password');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(data, { recursive: true, force: true });
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
    const auth = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`];
    await run('initdb', ['-D', data, ...auth, '--encoding=UTF8', '--locale=C', '--no-instructions'], place, user);
  } else if (existsSync(join(data, 'postmaster.pid'))) {
    await run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w'], place, user).catch(() => undefined);
  }
  const port = await freePort();
  // No socket file: its folder may not exist or not be writable here.
  const options = `-p ${port} -h 127.0.0.1 -c unix_socket_directories=`;
  await run('pg_ctl', ['start', '-D', data, '-w', '-t', '60', '-l', join(place.homeDir, 'log'), '-o', options], place, user);
  const password = readFileSync(passwordFile, 'utf8').trim();
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** Runs one of PostgreSQL's programs to its end, out of our process group, so that a Ctrl-C does not end the database before the apps. */
function run(program: 'initdb' | 'pg_ctl', args: readonly string[], { programsDir, homeDir }: Place, user: OsUser | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(programsDir, 'bin', program), args, { ...user, cwd: homeDir, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('error', reject);
    // Not `close`: the server that pg_ctl leaves behind may hold the pipe for as long as it runs.
    child.on('exit', (code) => {
      child.stderr.destroy();
      if (code === 0) resolve();
      else reject(new Error(`PostgreSQL's ${program} ended with code ${String(code)}: ${said.trim() || `see ${join(homeDir, 'log')}`}`));
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
