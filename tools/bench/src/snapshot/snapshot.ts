import { availableParallelism } from 'node:os';
import { startPostgres } from '@sluice/testkit';
import { Client } from 'pg';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { pin } from '../redis/pin.js';
import { verdict } from '../verdict.js';
import { metricsOf } from './control-plane-metrics.js';
import { get } from './get.js';
import { pollFor } from './poll-load.js';
import { changeEpoch, changeOne, OVERRIDES, RULES, seed } from './seed.js';
import { type ServerProcess, startBareServer, startControlPlane } from './server-process.js';

const TOKEN = 'bench-admin-token';
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const CONNECTIONS = [8, 50];
const LEAST_RATIO = 0.4;
const LONGEST_BUILD_MS = 100;
/** The header fields of a 304 that a bare Fastify does not add by itself. */
const ANSWERED = ['etag', 'cache-control', 'vary', 'sluice-epoch', 'x-request-id'];

type Print = (line: string) => void;

export const snapshot: Benchmark = {
  name: 'snapshot',
  about: `the control plane's GET /v1/snapshot with ${RULES} rules and ${OVERRIDES} overrides: 304 beside a bare Fastify route, builds, bytes`,
  async run({ short, print }) {
    const postgres = await startPostgres();
    // Its backends inherit it.
    if (availableParallelism() > 1) pin(postgres.pid, 1);
    const servers: ServerProcess[] = [];
    const client = new Client(postgres.url);
    try {
      const plane = await startControlPlane(postgres.url, TOKEN);
      servers.push(plane);
      await client.connect();
      await seed(client);
      await printBodies(plane, print);
      await printBuilds(plane, client, short ? 5 : 20, print);
      const held = await get(plane.port, '/v1/snapshot', { ...AUTHORIZATION, 'accept-encoding': 'br' });
      const poll = { path: '/v1/snapshot?since=1', headers: { ...AUTHORIZATION, 'accept-encoding': 'br', 'if-none-match': held.headers['etag'] ?? '' } };
      const notModified = await get(plane.port, poll.path, poll.headers);
      const bare = await startBareServer(Object.fromEntries(ANSWERED.map((name) => [name, notModified.headers[name] ?? ''])));
      servers.push(bare);
      await printRates({ plane, bare, poll, short, print });
    } finally {
      for (const server of servers) await server.stop();
      await client.end();
      await postgres.stop();
    }
  },
};

async function printBodies(plane: ServerProcess, print: Print): Promise<void> {
  print('whole snapshot      bytes   first answer, ms   next, ms');
  for (const coding of ['identity', 'gzip', 'br']) {
    const headers = { ...AUTHORIZATION, 'accept-encoding': coding };
    const first = await get(plane.port, '/v1/snapshot', headers);
    const next = await get(plane.port, '/v1/snapshot', headers);
    print([coding.padEnd(14), String(first.bytes).padStart(10), first.tookMs.toFixed(0).padStart(18), next.tookMs.toFixed(0).padStart(10)].join(' '));
  }
}

async function printBuilds(plane: ServerProcess, client: Client, rounds: number, print: Print): Promise<void> {
  print('build from      first, ms   median, ms   its process, CPU ms   longest delay of a 10 ms timer, ms (median)');
  const kinds = [
    ['everything', () => changeEpoch(client)],
    ['changes', (round: number) => changeOne(client, round + 1)],
  ] as const;
  for (const [from, change] of kinds) {
    const builds: number[] = [];
    const delays: number[] = [];
    let cpuUs = 0;
    for (let round = 0; round < rounds; round += 1) {
      await change(round);
      const before = await metricsOf(plane.port, from);
      const cpuBeforeUs = plane.usedCpuUs();
      // The changes alone: the body of the whole is not part of the build.
      await get(plane.port, `/v1/snapshot?since=${1 + round}`, AUTHORIZATION);
      cpuUs += plane.usedCpuUs() - cpuBeforeUs;
      const after = await metricsOf(plane.port, from);
      if (after.builds !== before.builds + 1) throw new Error(`a version was built ${after.builds - before.builds} times from ${from}`);
      builds.push(after.buildMs - before.buildMs);
      delays.push(after.longestDelayMs);
    }
    const said = from === 'everything' ? `   ${verdict(`below ${LONGEST_BUILD_MS} ms`, builds, (ms) => ms < LONGEST_BUILD_MS)}` : '';
    print([from.padEnd(14), (builds[0] ?? 0).toFixed(0).padStart(10), median(builds).toFixed(1).padStart(12), (cpuUs / rounds / 1_000).toFixed(0).padStart(21), median(delays).toFixed(1).padStart(12), said].join(' '));
  }
}

interface Race {
  readonly plane: ServerProcess;
  readonly bare: ServerProcess;
  readonly poll: { readonly path: string; readonly headers: Readonly<Record<string, string>> };
  readonly short: boolean;
  readonly print: Print;
}

/** Both take turns, so that what else the machine does meanwhile falls on both. */
async function printRates({ plane, bare, poll, short, print }: Race): Promise<void> {
  const pinned = availableParallelism() > 1 && [plane, bare].every(({ pid }) => pin(pid, 0)) && pin(process.pid, 1);
  print(`304, ${pinned ? 'servers on one processor, loader and PostgreSQL on the other' : 'processors not pinned'}`);
  print('connections   bare per s   µs   control plane per s   µs   ratio of a round (worst to best)');
  for (const connections of CONNECTIONS) {
    const rounds: (readonly [Turn, Turn])[] = [];
    for (let round = 0; round < (short ? 3 : 9); round += 1) rounds.push([await turn(bare, poll, connections, short), await turn(plane, poll, connections, short)]);
    const of = (value: (round: readonly [Turn, Turn]) => number): number => median(rounds.map(value));
    // Of turns one after the other: what the machine had to spare differs more between rounds, so that it does not follow from the medians beside it.
    const ratios = rounds.map(([a, b]) => b.perSecond / a.perSecond);
    print(
      [
        String(connections).padEnd(11),
        of(([a]) => a.perSecond).toFixed(0).padStart(12),
        of(([a]) => a.cpuUs).toFixed(0).padStart(4),
        of(([, b]) => b.perSecond).toFixed(0).padStart(21),
        of(([, b]) => b.cpuUs).toFixed(0).padStart(4),
        `${median(ratios).toFixed(2).padStart(7)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
        connections === 50 ? `   ${verdict(`at least ${LEAST_RATIO}`, ratios, (ratio) => ratio >= LEAST_RATIO)}` : '',
      ].join(' '),
    );
  }
}

interface Turn {
  readonly perSecond: number;
  /** Of the server, for each answer. */
  readonly cpuUs: number;
}

async function turn(server: ServerProcess, { path, headers }: Race['poll'], connections: number, short: boolean): Promise<Turn> {
  const seconds = short ? 1.5 : 4;
  const cpuBeforeUs = server.usedCpuUs();
  const { perSecond, statuses } = await pollFor({ port: server.port, path, headers }, { connections, seconds });
  if ([...statuses.keys()].join() !== '304') throw new Error(`answers were ${[...statuses.keys()].join()}, so this measures something else`);
  return { perSecond, cpuUs: (server.usedCpuUs() - cpuBeforeUs) / (perSecond * seconds) };
}
