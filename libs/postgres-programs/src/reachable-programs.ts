import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { canEnter } from './can-enter.js';
import type { OsUser } from './os-user.js';

/**
 * Programs that `user` can run: `programsDir` itself, or a copy at `copyTo` when the user is another one who cannot enter it. The copy is made once.
 * @throws Error when somebody else owns the copy's place: they may have put programs of their own there
 */
export function reachablePrograms(programsDir: string, user: OsUser | undefined, copyTo: string): string {
  if (user === undefined || canEnter(programsDir)) return programsDir;
  const parent = dirname(copyTo);
  for (const place of [parent, copyTo]) {
    if (existsSync(place) && lstatSync(place).uid !== process.getuid?.()) throw new Error(`${place} belongs to another user, so that its programs cannot be trusted: remove it`);
  }
  if (existsSync(copyTo)) return copyTo;
  const half = `${copyTo}.${process.pid}`;
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  cpSync(programsDir, half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, copyTo);
  } catch (error) {
    rmSync(half, { recursive: true });
    // Another start was faster, and its copy may be in use.
    if (!existsSync(copyTo)) throw error;
  }
  return copyTo;
}
