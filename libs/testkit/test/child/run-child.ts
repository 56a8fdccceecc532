import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const here = join(import.meta.dirname);

/** A node process that uses the library, outside Jest. */
export interface Child {
  /** What it started, by name: pids, urls, the folder of its run. */
  readonly found: Readonly<Record<string, string | number>>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts it and waits for what it prints; `env` is added to this process's own, undefined removes. */
export async function runChild(wanted: string[], env: Record<string, string | undefined>): Promise<Child> {
  const child = spawn(process.execPath, ['--import', join(here, 'resolve-ts.mjs'), join(here, 'start-servers.mjs'), ...wanted], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [unknown];
  if (typeof line !== 'string') throw new Error(`the child ended with ${String(line)} before it said anything`);
  return {
    found: JSON.parse(line) as Record<string, string | number>,
    kill: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
}
