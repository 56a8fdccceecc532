import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testkit';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  /** Processor time so far, µs; in steps of 10 ms. */
  usedCpuUs(): number;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../../..');
const READY_MS = 30_000;

/** The control plane as it is deployed; resolves when it is ready. */
export async function startControlPlane(databaseUrl: string, token: string): Promise<ServerProcess> {
  const port = await freePort();
  const env = { ...process.env, SLUICE_DATABASE_URL: databaseUrl, SLUICE_ADMIN_TOKEN: token, SLUICE_ADMIN_HOST: '127.0.0.1', SLUICE_ADMIN_PORT: String(port), SLUICE_LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [join(ROOT, 'apps/rules-admin/dist/main.js')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const deadlineMs = performance.now() + READY_MS;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) throw new Error('the control plane did not become ready');
    await sleep(50);
  }
  return processOf(child, port);
}

/** A bare Fastify route; see `bare-server.ts`. */
export function startBareServer(headers: Readonly<Record<string, string>>): Promise<ServerProcess> {
  return startScript(join(import.meta.dirname, 'bare-server.js'), [JSON.stringify(headers)]);
}

/** A script of the benchmark's own that listens, prints its port, and ends when its input does. */
export async function startScript(file: string, args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(Number(line.toString())));
    child.once('exit', () => reject(new Error(`${file} ended`)));
  });
  return processOf(child, port);
}

/** Whether a service on this machine says that it can serve. */
export async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** What a started process is to a benchmark. */
export function processOf(child: ChildProcess, port: number): ServerProcess {
  const pid = child.pid ?? 0;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // The benchmark may fail anywhere.
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    port,
    pid,
    usedCpuUs() {
      // proc(5): the name may hold spaces, so count from the parenthesis; utime and stime are fields 14 and 15, in ticks of 10 ms.
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10_000;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
