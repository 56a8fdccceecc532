import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A draft that was not written to for so long belongs to no write that is under way. */
const LEFT_AFTER_MS = 600_000;
const DRAFT_SUFFIX = /^\.[0-9a-f]{12}$/;

/** Name of a draft beside the file that it is to replace. */
export function draftOf(path: string, id: string): string {
  return `${path}.${id}`;
}

/**
 * Removes the drafts of a file whose writers were killed: nobody else would. What cannot be read or removed stays, since it is in the way of
 * nothing.
 */
export async function removeLeftDrafts(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const beside = await readdir(folder).catch(() => []);
  for (const file of beside) {
    if (!file.startsWith(name) || !DRAFT_SUFFIX.test(file.slice(name.length))) continue;
    const draft = join(folder, file);
    const writtenAtMs = await stat(draft).then(({ mtimeMs }) => mtimeMs, () => Infinity);
    if (Date.now() - writtenAtMs > LEFT_AFTER_MS) await rm(draft, { force: true }).catch(() => undefined);
  }
}
