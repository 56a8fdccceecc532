// The reaper: one detached process a test run. It outlives a test runner that is killed with -9, then
// ends every server of the run and removes the run's folder. Started by open-test-run, run natively.
//   node reaper.ts RUN_DIR OWNER_PID
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerRegistration } from './server-registration.js';
import type { ProcessIdentity } from './process-table.js';

const self = import.meta.url;
const sibling = self.endsWith('.ts') ? './process-table.ts' : './process-table.js';
const { identify, isAlive, parseIdentity, signalProcess, signalTree } = (await import(
  new URL(sibling, self).href
)) as typeof import('./process-table.js');

const POLL_MS = 100;
const GRACE_MS = 2_000;
const [, , runDir = '', ownerPid = ''] = process.argv;
const owner = identify(Number(ownerPid));
const open = join(runDir, 'servers');

interface Entry extends ServerRegistration {
  readonly path: string;
  /** Absent while the launched shell has not written it yet. */
  readonly server?: ProcessIdentity;
}

function entries(dir: string): Entry[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const path = join(dir, name.slice(0, -'.json'.length));
      try {
        const registration = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as ServerRegistration;
        const server = parseIdentity(readFileSync(`${path}.pid`, 'utf8'));
        return [{ path, ...registration, ...(server === undefined ? {} : { server }) }];
      } catch {
        return []; // Half written or just removed: the next round sees it.
      }
    });
}

async function end({ server, stopSignal, dataDir, path }: Entry): Promise<void> {
  if (server !== undefined && isAlive(server)) {
    if (stopSignal !== 'SIGKILL') {
      signalTree(server.pid, 'SIGCONT');
      signalProcess(server.pid, stopSignal);
      const deadline = Date.now() + GRACE_MS;
      while (isAlive(server) && Date.now() < deadline) await sleep(20);
    }
    while (isAlive(server)) {
      signalTree(server.pid, 'SIGKILL');
      await sleep(20);
    }
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  for (const kind of ['json', 'pid']) rmSync(`${path}.${kind}`, { force: true });
}

async function endAll(): Promise<void> {
  if (existsSync(open)) {
    // A launch writes its pid into this folder before it becomes a server, and gives up when it cannot:
    // once the folder has another name no further server starts, and those that got in can be counted.
    const closed = `${open}.closed`;
    renameSync(open, closed);
    await sleep(100);
    await Promise.allSettled(entries(closed).map(end));
  }
  rmSync(runDir, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

let ending = false;
function finish(): void {
  if (!ending) void endAll();
  ending = true;
}
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', finish);

while (!ending && existsSync(runDir) && !existsSync(join(runDir, 'close')) && isAlive(owner)) {
  // What fails now (a folder that is still being written to) is tried again in the next round.
  await Promise.allSettled(
    entries(open)
      .filter(({ owner: starter, server }) => starter !== undefined && server !== undefined && !isAlive(starter))
      .map(end),
  );
  await sleep(POLL_MS);
}
finish();
