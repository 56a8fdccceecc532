import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, identify, isAlive, type ProcessIdentity } from './process-table.js';

const POLL_MS = 25;
const STEAL_TIMEOUT_MS = 5_000;

function tryCreate(path: string, content: string): boolean {
  // A link appears with its content or not at all; `wx` would show an empty file for a moment.
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function holderOf(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

/** Removes a lock whose holder died. One remover at a time, or the second would remove the first one's new lock. */
function removeIfOrphaned(path: string, self: string): void {
  const holder = holderOf(path);
  if (holder === undefined || isAlive(holder)) return;
  const stealing = `${path}.stealing`;
  if (!tryCreate(stealing, self)) {
    try {
      if (Date.now() - statSync(stealing).mtimeMs > STEAL_TIMEOUT_MS) unlinkSync(stealing);
    } catch {
      // The other remover has just finished.
    }
    return;
  }
  const again = holderOf(path);
  if (again !== undefined && !isAlive(again)) unlinkSync(path);
  unlinkSync(stealing);
}

/** Runs `work` while no other process does so under the same path; a holder that died holds nothing. */
export async function withLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const self = JSON.stringify(identify(process.pid));
  const deadline = Date.now() + timeoutMs;
  while (!tryCreate(path, self)) {
    removeIfOrphaned(path, self);
    if (Date.now() > deadline) throw new Error(`the lock ${path} was not free after ${timeoutMs} ms`);
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    unlinkSync(path);
  }
}
