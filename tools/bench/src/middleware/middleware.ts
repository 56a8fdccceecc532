import { availableParallelism } from 'node:os';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { pin } from '../redis/pin.js';
import { pollFor } from '../snapshot/poll-load.js';
import { runDelayReader } from '../swap/run-delay.js';
import { verdict } from '../verdict.js';
import { buildApp, type Framework, FRAMEWORKS } from './app.js';
import { KEY_HEADER, localLimiter } from './local-limiter.js';
import { requestLoop } from './request-loop.js';
import { type AppServer, type CpuTime, startAppServer } from './start-app-server.js';

const MOST_ADDED_US = 5;
const CONNECTIONS = 32;

type Print = (line: string) => void;

export const middleware: Benchmark = {
  name: 'middleware',
  about: `what a skin adds to a request of Express and Fastify that is decided from a local lease: goal at most ${MOST_ADDED_US} µs`,
  async run({ short, print }) {
    print('no sockets    without, µs   with, µs   added, µs (worst to best slice)');
    for (const framework of FRAMEWORKS) await printLoop(framework, short ? 40 : 200, print);
    for (const framework of FRAMEWORKS) await printServed(framework, short, print);
  },
};

async function printLoop(framework: Framework, slices: number, print: Print): Promise<void> {
  const limiter = localLimiter();
  const [bare = [], limited = []] = requestLoop([await buildApp(framework, undefined), await buildApp(framework, limiter)], slices);
  await limiter.close();
  const added = limited.map((ns, slice) => (ns - (bare[slice] ?? Number.NaN)) / 1_000);
  print([framework.padEnd(13), (median(bare) / 1_000).toFixed(1).padStart(11), (median(limited) / 1_000).toFixed(1).padStart(10), said(added)].join(' '));
}

async function printServed(framework: Framework, short: boolean, print: Print): Promise<void> {
  const server = await startAppServer(framework);
  try {
    const seconds = short ? 1 : 3;
    // The first turn is by itself: threads that come and go while a process starts make a pinning fail.
    await turn(server, server.barePort, seconds);
    await turn(server, server.limitedPort, seconds);
    const pinned = availableParallelism() > 1 && pin(server.pid, 0) && pin(process.pid, 1);
    const readDelay = runDelayReader();
    const rounds: (readonly [Turn, Turn])[] = [];
    const [startMs, delayedMs] = [performance.now(), readDelay()];
    for (let round = 0; round < (short ? 4 : 12); round += 1) rounds.push([await turn(server, server.barePort, seconds), await turn(server, server.limitedPort, seconds)]);
    const off = (readDelay() - delayedMs) / (performance.now() - startMs);
    const of = (value: (round: readonly [Turn, Turn]) => number): string => median(rounds.map(value)).toFixed(0);
    const processors = pinned ? 'server on one processor, loader on the other' : 'processors not pinned';
    print(`${framework} over ${CONNECTIONS} connections, ${processors}; the loader was off its own for ${(off * 100).toFixed(0)} % of the time`);
    print(`  without: ${of(([bare]) => bare.perSecond)} per s, ${of(([bare]) => cpuUs(bare))} µs of the server each; with: ${of(([, limited]) => limited.perSecond)} per s, ${of(([, limited]) => cpuUs(limited))} µs`);
    print(`  added, µs, kernel and collector in it: ${said(rounds.map(([bare, limited]) => cpuUs(limited) - cpuUs(bare)))}`);
    print(`  added, µs, without the kernel:         ${said(rounds.map(([bare, limited]) => limited.userUs - bare.userUs))}`);
  } finally {
    server.stop();
  }
}

function said(addedUs: readonly number[]): string {
  const range = `(${Math.max(...addedUs).toFixed(1)} to ${Math.min(...addedUs).toFixed(1)})`;
  return `${median(addedUs).toFixed(2).padStart(6)} ${range}   ${verdict(`at most ${MOST_ADDED_US}`, addedUs, (us) => us <= MOST_ADDED_US)}`;
}

/** Processor time of the server is for a request. */
interface Turn extends CpuTime {
  readonly perSecond: number;
}

function cpuUs({ userUs, systemUs }: CpuTime): number {
  return userUs + systemUs;
}

async function turn(server: AppServer, port: number, seconds: number): Promise<Turn> {
  const before = await server.usedCpu();
  const { perSecond, statuses } = await pollFor({ port, path: '/v1/items/42', headers: { [KEY_HEADER]: 'key_000001' } }, { connections: CONNECTIONS, seconds });
  const after = await server.usedCpu();
  const answers = statuses.get('204');
  if (answers === undefined || statuses.size > 1) throw new Error(`answers were ${[...statuses.keys()].join()}, so this measures something else`);
  return { perSecond, userUs: (after.userUs - before.userUs) / answers, systemUs: (after.systemUs - before.systemUs) / answers };
}
