import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** The services that run as processes of their own. */
export const APPS = ['rules-admin', 'decision', 'gateway', 'decision-log'] as const;
export type AppName = (typeof APPS)[number];

/** One app as a process. */
export interface AppProcess {
  readonly name: AppName;
  readonly running: boolean;
  /** Resolves when it is gone. */
  readonly ended: Promise<Ending>;
  /** SIGTERM, and SIGKILL for one that still runs after `graceMs`. */
  stop(graceMs: number): Promise<Ending>;
}

/** How a process ended. */
export interface Ending {
  /** Stopped by itself, or because it was asked to before it could listen to signals. */
  readonly clean: boolean;
  /** For people: `with code 1`, `by SIGKILL`. */
  readonly how: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const PRELOAD = join(import.meta.dirname, 'end-with-parent.js');
const NAME_WIDTH = Math.max(...APPS.map((name) => name.length));

/**
 * Starts the built app under this very Node. What it prints appears line by line behind its name. It is in a process group of its own:
 * a Ctrl-C in the terminal reaches the stack alone, which stops the apps in their order.
 */
export function startApp(name: AppName, env: NodeJS.ProcessEnv): AppProcess {
  const main = join(ROOT, 'apps', name, 'dist/main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', PRELOAD, main], { cwd: ROOT, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]] as const) {
    createInterface({ input: from }).on('line', (line) => to.write(`${name.padEnd(NAME_WIDTH)} | ${line}\n`));
  }
  // It may end before it has read its input to the end.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => resolve({ clean: false, how: `without having started: ${error.message}` }));
    child.once('close', (code, signal) => resolve({ clean: code === 0 || signal === 'SIGTERM', how: signal === null ? `with code ${String(code)}` : `by ${signal}` }));
  });
  return {
    name,
    get running() {
      return child.exitCode === null && child.signalCode === null;
    },
    ended,
    async stop(graceMs) {
      child.kill('SIGTERM');
      const timer = new AbortController();
      const late = sleep(graceMs, undefined, { signal: timer.signal }).then(() => child.kill('SIGKILL'), () => undefined);
      const ending = await ended;
      timer.abort();
      await late;
      return ending;
    },
  };
}
