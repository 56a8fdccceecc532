import type { OsUser } from '@sluice/postgres-programs';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestRun } from './open-test-run.js';
import { identify, isAlive, signalProcess, signalTree } from './process-table.js';
import type { ServerRegistration } from './server-registration.js';

/** Whose end is the server's end: this process's, or the whole test run's. */
export type Lifetime = 'process' | 'run';

/** How to run one server. */
export interface ServerCommand {
  readonly name: string;
  readonly command: string;
  /** Given the server's own folder. */
  readonly args: (dataDir: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: OsUser | undefined;
  readonly lifetime: Lifetime;
  /** What `stop` sends; anything but SIGKILL is given 2 s. */
  readonly stopSignal: NodeJS.Signals;
}

// Writes the pid where the reaper looks, then becomes the server under that pid: there is no moment in which
// a server runs that nobody knows of. When the run is over the folder is gone and the server never starts.
const REGISTER_THEN_EXEC =
  'l=; [ -r /proc/$$/stat ] && read -r l < /proc/$$/stat; echo "${l:-$$}" > "$1" || exit 1; shift; exec "$@"';

const GRACE_MS = 2_000;
const POLL_MS = 50;

/** One server process with its folder, known to the run's reaper from before its first instruction. */
export class ServerProcess {
  readonly dataDir: string;
  private readonly server: ServerCommand;
  private readonly registration: string;
  private readonly logFile: string;
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();

  constructor(server: ServerCommand) {
    this.server = server;
    const { dir } = openTestRun();
    const token = `${server.name}-${randomBytes(6).toString('hex')}`;
    this.dataDir = join(dir, 'data', token);
    this.logFile = join(this.dataDir, 'server.log');
    this.registration = join(dir, 'servers', token);
    const registration: ServerRegistration = {
      ...(server.lifetime === 'process' ? { owner: identify(process.pid) } : {}),
      stopSignal: server.stopSignal,
      dataDir: this.dataDir,
    };
    writeFileSync(`${this.registration}.pid`, '');
    writeFileSync(`${this.registration}.json`, JSON.stringify(registration));
    mkdirSync(this.dataDir, { mode: 0o700 });
    if (server.user !== undefined) {
      for (const path of [`${this.registration}.pid`, this.dataDir]) chownSync(path, server.user.uid, server.user.gid);
    }
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`${this.server.name} was never started`);
    return this.child.pid;
  }

  get running(): boolean {
    return this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The end of what the server printed, for error messages. */
  get logTail(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8').slice(-2_000) : '';
  }

  /** Runs a program to its end in the server's folder before the first start: it makes the server's files. */
  async prepare(command: string, args: readonly string[]): Promise<void> {
    const child = this.launch(command, args);
    while (this.running) await this.endedOr(POLL_MS);
    if (child.exitCode !== 0) throw new Error(`${this.server.name}: ${command} failed:\n${this.logTail}`);
  }

  /** Starts it, again with the same folder after it ended; whether it is ready is the caller's to find out. */
  start(): void {
    this.launch(this.server.command, this.server.args(this.dataDir));
  }

  private launch(command: string, args: readonly string[]): ChildProcess {
    if (this.running) throw new Error(`${this.server.name} runs already`);
    const { env, user } = this.server;
    const log = openSync(this.logFile, 'a');
    const child = spawn('/bin/sh', ['-c', REGISTER_THEN_EXEC, 'sh', `${this.registration}.pid`, command, ...args], {
      cwd: this.dataDir,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...env },
      ...(user ?? {}),
    });
    closeSync(log);
    this.ended = new Promise((resolve) => child.once('close', () => resolve()));
    child.once('error', () => undefined); // No pid then, which `pid` and `running` report.
    child.unref();
    this.child = child;
    return child;
  }

  /** kill -9 for the server and all its children; resolves when they are gone. */
  async kill(): Promise<void> {
    if (!this.running) return;
    const members = signalTree(this.pid, 'SIGKILL');
    // The children too: PostgreSQL does not start again while one of them holds its shared memory.
    while (this.running || members.some(isAlive)) await this.endedOr(POLL_MS);
  }

  /** Short sleeps: a long timer left over from a race would keep the process from ending. */
  private async endedOr(ms: number): Promise<void> {
    await (this.running ? Promise.race([this.ended, sleep(ms)]) : sleep(1));
  }

  /** SIGSTOP: it keeps its connections and answers nothing. */
  pause(): void {
    signalTree(this.pid, 'SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    signalTree(this.pid, 'SIGCONT');
  }

  /** Asks it to end, and kills it when it has not after `graceMs`. */
  async end(signal: NodeJS.Signals, graceMs = GRACE_MS): Promise<void> {
    if (signal !== 'SIGKILL' && this.running) {
      this.resume();
      signalProcess(this.pid, signal);
      const deadline = Date.now() + graceMs;
      while (this.running && Date.now() < deadline) await this.endedOr(POLL_MS);
    }
    await this.kill();
  }

  /** Ends it for good and removes its folder. */
  async dispose(): Promise<void> {
    await this.end(this.server.stopSignal);
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
    for (const kind of ['json', 'pid']) rmSync(`${this.registration}.${kind}`, { force: true });
  }

  /** Polls until the server answers; an error that names its last output when it ends or `timeoutMs` passes. */
  async untilReady(answers: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await answers().catch(() => false))) {
      if (!this.running) throw new Error(`${this.server.name} ended before it was ready:\n${this.logTail}`);
      if (Date.now() > deadline) throw new Error(`${this.server.name} was not ready after ${timeoutMs} ms:\n${this.logTail}`);
      await sleep(5);
    }
  }
}

