import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isError } from './duckdb-faults.js';

/**
 * Makes a folder for its user alone, and those above it as usual: what else lies there may be another user's, such as PostgreSQL's. One after the other: Node's recursive way never
 * ends where a file system that takes no folders (/proc) says that the one above does not exist.
 *
 * @param dir absolute
 */
export async function makeOwnFolder(dir: string): Promise<void> {
  const missing: string[] = [];
  for (let at = dir; !(await isThere(at)); at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    const isOwn = each === dir;
    try {
      await mkdir(each, { mode: isOwn ? 0o700 : 0o755 });
      // The mask of the process may have taken bits away, but who made it is to have all of them.
      if (isOwn) await chmod(each, 0o700);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error; // Another process was faster.
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return isError(error) && 'code' in error && error.code === code;
}
