import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file in one step, so that a reader finds all of the new or all of the old, also after a crash. Nobody but the owner may read it;
 * folders above it are made. Several processes may do so with one path: the last stands.
 *
 * @throws Error of the file system; then what was there stays, and nothing is left beside it
 */
export async function replaceFile(path: string, content: string | AsyncIterable<string>): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
