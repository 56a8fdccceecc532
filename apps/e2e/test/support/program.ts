import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './build-apps.js';

/** How a program ended: its exit code, or the signal that ended it. */
export type Ending = number | NodeJS.Signals;

/** One program of Sluice, run as its users run it. */
export interface Program {
  readonly pid: number;
  /** What it printed so far, both streams. */
  readonly output: string;
  readonly ended: Promise<Ending>;
  /** Resolves with the match, as soon as it has printed it. @throws Error when it ends first, or `timeoutMs` pass */
  untilSaid(what: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending>;
}

const running = new Set<ChildProcess>();
const MAIN = {
  standalone: 'apps/standalone/dist/main.js',
  'rules-admin': 'apps/rules-admin/dist/main.js',
  decision: 'apps/decision/dist/main.js',
  gateway: 'apps/gateway/dist/main.js',
  'decision-log': 'apps/decision-log/dist/main.js',
  stack: 'tools/stack/dist/main.js',
  'example-express': 'examples/express/dist/main.js',
  'example-fastify': 'examples/fastify/dist/main.js',
  'example-nest': 'examples/nest/dist/main.js',
};
// What it preloads stops the program when this process is gone, however it went: a Jest that is killed leaves nothing behind.
const END_WITH_US = join(ROOT, 'tools/stack/dist/end-with-parent.js');

/** Starts a built program with nothing of Sluice in its environment but `env`. */
export function startProgram(name: keyof typeof MAIN, env: Readonly<Record<string, string>>): Program {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('SLUICE_') || key.startsWith('SLUICE_TEST_'));
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', END_WITH_US, join(ROOT, MAIN[name])], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started`);
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(signal ?? code ?? -1);
    });
  });
  return {
    pid,
    get output() {
      return output;
    },
    ended,
    async untilSaid(what, timeoutMs = 45_000) {
      for (const deadline = Date.now() + timeoutMs; ; await sleep(10)) {
        const match = what.exec(output);
        if (match !== null) return match;
        if (!running.has(child)) throw new Error(`${name} ended before it said ${String(what)}:\n${output}`);
        if (Date.now() > deadline) throw new Error(`${name} did not say ${String(what)} in ${timeoutMs} ms:\n${output}`);
      }
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Ends what a story left running, for `afterAll`. */
export async function endPrograms(): Promise<void> {
  for (const child of [...running]) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 11_000);
    await ended;
    clearTimeout(late);
  }
}
