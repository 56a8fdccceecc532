import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestRun } from './open-test-run.js';
import { identify, isAlive, type ProcessIdentity } from './process-table.js';
import { withLock } from './with-lock.js';

/** A server that was started for the whole run: what its users need, and the processes that must be alive. */
export interface SharedServer<T> {
  readonly address: T;
  readonly pids: readonly number[];
}

interface Descriptor<T> {
  readonly address: T;
  readonly processes: readonly ProcessIdentity[];
}

const START_TIMEOUT_MS = 600_000;

/**
 * The run's one server of that name: started by whoever asks first, found by everybody else through its
 * descriptor in the run's folder. `start` must launch with lifetime `run`.
 */
export async function sharedServer<T>(name: string, start: () => Promise<SharedServer<T>>): Promise<T> {
  const path = join(openTestRun().dir, 'shared', name);
  const found = read<T>(path);
  if (found !== undefined) return found;
  return withLock(`${path}.lock`, START_TIMEOUT_MS, async () => {
    const meanwhile = read<T>(path);
    if (meanwhile !== undefined) return meanwhile;
    const { address, pids } = await start();
    const descriptor: Descriptor<T> = { address, processes: pids.map(identify) };
    writeFileSync(`${path}.draft`, JSON.stringify(descriptor));
    renameSync(`${path}.draft`, `${path}.json`);
    return address;
  });
}

function read<T>(path: string): T | undefined {
  if (!existsSync(`${path}.json`)) return undefined;
  const { address, processes } = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Descriptor<T>;
  return processes.every(isAlive) ? address : undefined;
}
