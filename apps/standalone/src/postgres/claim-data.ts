import { StartError } from '@sluice/platform';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './has-code.js';
import { identify, isAlive, type ProcessIdentity } from './process-identity.js';

/** Far longer than another process takes from reading the file to replacing it, which it does in one turn. */
const SETTLE_MS = 50;

/**
 * Makes this process the only one on the data in `homeDir` until it gives them back or ends, however that comes about. Without this a
 * second start would take the database of the first for one that a killed process left behind, and stop it.
 *
 * @returns what gives the data back
 * @throws StartError when another process has them; then nothing was touched
 */
export async function claimData(homeDir: string): Promise<() => void> {
  const file = join(homeDir, 'owner');
  const draft = `${file}.${process.pid}`;
  const { pid, started } = identify(process.pid);
  writeFileSync(draft, `${pid} ${started}`);
  try {
    // A link and not an exclusive write, which others could read half done.
    while (!link(draft, file)) {
      const owner = readOwner(file);
      if (owner === undefined) continue; // Given back in between.
      if (isAlive(owner)) throw inUse(owner, homeDir);
      renameSync(draft, file);
      await sleep(SETTLE_MS);
      const last = readOwner(file);
      if (last !== undefined && last.pid !== pid) throw inUse(last, homeDir);
      break;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readOwner(file)?.pid === pid) rmSync(file);
  };
}

/** @returns false when `to` is there already */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function readOwner(file: string): ProcessIdentity | undefined {
  try {
    const [pid, started = ''] = readFileSync(file, 'utf8').split(' ');
    return { pid: Number(pid), started };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function inUse({ pid }: ProcessIdentity, homeDir: string): StartError {
  return new StartError(`Sluice runs already on the data in ${homeDir} (process ${pid}): stop it, or set SLUICE_DATA_DIR to another folder`);
}
