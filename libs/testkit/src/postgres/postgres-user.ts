import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { OsUser } from '../run/server-process.js';

/** The OS user that PostgreSQL runs as: it refuses root, so root hands it to `postgres`, made when missing. */
export function postgresUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], { stdio: 'pipe' });
  } catch (error) {
    // Exit status 9: a parallel worker was faster.
    if (lookUp() === undefined) throw new Error('PostgreSQL does not run as root, and the OS user postgres could not be made', { cause: error });
  }
  return lookUp();
}

function lookUp(): OsUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
