import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { draftOf, removeLeftDrafts } from './left-drafts.js';

/** A file that is written every second need not look around each time. */
const SWEEP_EVERY_MS = 600_000;
/** When the drafts of a path were last swept, by the wall clock; a process writes a file or two. */
const sweptAtMs = new Map<string, number>();

/**
 * Writes a file in one step, so that a reader finds all of the new or all of the old, also after a crash. Nobody but the owner may read it;
 * folders above it are made. Several processes may do so with one path: the last stands. Drafts that killed processes left beside it are removed at the
 * first write and every ten minutes, once they are ten minutes old.
 *
 * @throws Error of the file system; then what was there stays, and nothing is left beside it
 */
export async function replaceFile(path: string, content: string | AsyncIterable<string>): Promise<void> {
  const draft = draftOf(path, randomBytes(6).toString('hex'));
  try {
    await mkdir(dirname(path), { recursive: true });
    await sweep(path);
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Before the write: drafts that filled the disk would be in its way. */
async function sweep(path: string): Promise<void> {
  const nowMs = Date.now();
  if (Math.abs(nowMs - (sweptAtMs.get(path) ?? -Infinity)) < SWEEP_EVERY_MS) return;
  sweptAtMs.set(path, nowMs);
  await removeLeftDrafts(path);
}
