import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Fails when another OS user cannot get to a folder because one above it is closed, as those of `mktemp -d` are. */
export function assertReachable(dir: string): void {
  for (let parent = dirname(dir); parent !== dirname(parent); parent = dirname(parent)) {
    if ((statSync(parent).mode & 0o001) === 0) {
      throw new Error(
        `PostgreSQL runs as the OS user postgres, who may not enter ${parent}: set TMPDIR, or SLUICE_TEST_RUN_DIR, to a place that everybody may enter, such as /tmp`,
      );
    }
  }
}

function lookUp(): OsUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
