import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const APP = join(import.meta.dirname, '../..');
const ROOT = join(APP, '../..');

/** A decision log in a process of its own. */
export interface SinkProcess {
  /** Opens the store and joins the group; resolves when it has begun a write. */
  begin(): Promise<void>;
  /** @returns whether a write was under way */
  kill(): Promise<boolean>;
  /** Ends it as an operator does. */
  end(): Promise<void>;
}

export async function buildSink(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'apps/decision-log'], { cwd: ROOT });
}

/** Starts one that waits to begin: loading what it is made of takes longer than most of it. */
export function startSink(brokers: readonly string[], dir: string, sessionTimeoutMs: number): SinkProcess {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'sink-child.mjs'), brokers.join(','), dir, String(sessionTimeoutMs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const writing = new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('writing')) resolve();
    });
    void ended.then(() => reject(new Error(`the sink ended before it wrote anything: ${said}`)));
  });
  writing.catch(() => undefined);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    begin() {
      child.stdin?.write('begin\n');
      return writing;
    },
    async kill() {
      await end('SIGKILL');
      return said.split('writing').length > said.split('written').length;
    },
    end: () => end('SIGTERM'),
  };
}
