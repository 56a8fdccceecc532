import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Orders } from './messages.js';

/** The embedded store in a process of its own, which is there to be killed. */
export class StoreProcess {
  readonly pid: number;
  /** All events with a lower sequence are stored, by the process's own word. */
  stored: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess, ended: Promise<unknown>, from: number) {
    this.#child = child;
    this.#ended = ended;
    this.pid = child.pid ?? -1;
    this.stored = from;
  }

  /** Starts it, and waits until it has the store open. */
  static async start(orders: Orders): Promise<StoreProcess> {
    const child = spawn(process.execPath, ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', new URL('entry.mjs', import.meta.url).pathname, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += String(text)));
    const lines = createInterface(child.stdout);
    const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]);
    const started = new StoreProcess(child, ended, orders.from);
    await new Promise<void>((resolve, reject) => {
      void ended.then(([[code, signal]]) => reject(new Error(`the store's process ended by ${String(signal ?? code)} before it was open: ${stderr}`)));
      lines.on('line', (line) => (line === 'open' ? resolve() : (started.stored = Math.max(started.stored, Number(line)))));
    });
    return started;
  }

  /** SIGKILL. @returns up to which sequence it had stored */
  async kill(): Promise<number> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    return this.stored;
  }
}
