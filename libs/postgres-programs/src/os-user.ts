import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Numbers of an OS user, as a child process takes them. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The OS user for PostgreSQL, which refuses to run as root: root hands it to `postgres`, made when missing. Undefined: stay who we are.
 * @throws Error when the user is missing and cannot be made
 */
export function postgresUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], { stdio: 'pipe' });
  } catch (error) {
    // Exit status 9: another process was faster.
    if (lookUp() === undefined) throw new Error('PostgreSQL does not run as root, and the OS user postgres could not be made', { cause: error });
  }
  return lookUp();
}

function lookUp(): OsUser | undefined {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('postgres:'));
  const [, , uid, gid] = entry?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
