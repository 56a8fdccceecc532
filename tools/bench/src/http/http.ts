import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '@sluice/rules';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { Disturbances, type Disturbance } from '../latency/disturbances.js';
import type { Waits } from '../latency/open-loop.js';
import { benchRedis } from '../redis/bench-redis.js';
import { pin } from '../redis/pin.js';
import { type ServerProcess, startScript } from '../snapshot/server-process.js';
import { verdict } from '../verdict.js';
import { startDecision } from './decision-process.js';
import { paced } from './paced.js';
import { post, postBytes } from './post.js';
import { saturate } from './saturate.js';

const CHECK = '/v1/ratelimit:check';
const BATCH = '/v1/ratelimit:batch';
const CALLERS = 100;
const CONNECTIONS = 50;
const CHECKS_A_BATCH = 100;
const LEAST_RATIO = 0.85;
const LOAD = 0.5;
const LONGEST_P99_MS = 1;

/** Limits that nobody meets, so that permits come from leases after each caller's first. */
const RULES: Snapshot = {
  version: 1,
  plans: [{ plan_id: 'pro' }],
  rules: [
    { rule_id: 'pro-items', version: 3, plan: 'pro', endpoint: 'GET /v1/items/{id}', limit: 1_000_000_000, window_seconds: 60 },
    { rule_id: 'pro-search', version: 1, plan: 'pro', endpoint: 'GET /v1/search', limit: 100, window_seconds: 60 },
  ],
  overrides: [],
};
/** What Fastify and node write by themselves. */
const NOT_GIVEN = new Set(['date', 'connection', 'keep-alive', 'content-length']);

type Print = (line: string) => void;

export const http: Benchmark = {
  name: 'http',
  about: `POST ${CHECK} by leases beside a bare Fastify route, waits at half of what it can bear, batches`,
  async run({ short, print }) {
    // Before this process is bound to one of them.
    const canPin = availableParallelism() > 1;
    const redis = await benchRedis();
    const servers: ServerProcess[] = [];
    try {
      const decision = await startDecision(RULES, redis.url);
      servers.push(decision);
      const answer = await post(decision.port, CHECK, bodyOf(0));
      const fields = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !NOT_GIVEN.has(name)));
      const bare = await startScript(join(import.meta.dirname, 'bare-post.js'), [CHECK, JSON.stringify(fields), answer.text]);
      servers.push(bare);
      const pinned = canPin && pin(redis.pid, 1) && [decision, bare].every(({ pid }) => pin(pid, 0)) && pin(process.pid, 1);
      print(`${pinned ? 'servers on one processor, loader and Redis on the other' : 'processors not pinned'}; ${Buffer.byteLength(bodyOf(0))} bytes asked, ${Buffer.byteLength(answer.text)} answered with ${Object.keys(answer.headers).length} fields`);
      const perSecond = await printRates({ decision, bare, short, print });
      await printWaits({ decision, bare, perSecond, short, print });
      await printBatches({ decision, short, print });
    } finally {
      for (const server of servers) await server.stop();
      await redis.stop();
    }
  },
};

function checkOf(caller: number): object {
  const descriptors = Object.entries({ plan: 'pro', key_id: `key-${caller}`, endpoint: `GET /v1/items/${caller}` }).map(([key, value]) => ({ key, value }));
  return { domain: 'api', descriptors };
}

function bodyOf(caller: number): string {
  return JSON.stringify(checkOf(caller));
}

const CHECKS = Array.from({ length: CALLERS }, (_, caller) => postBytes(CHECK, bodyOf(caller)));

interface Race {
  readonly decision: ServerProcess;
  readonly bare: ServerProcess;
  readonly short: boolean;
  readonly print: Print;
}

interface Turn {
  readonly perSecond: number;
  /** Of the server, for each answer. */
  readonly cpuUs: number;
}

/** Both take turns, so that what else the machine does meanwhile falls on both. @returns checks a second */
async function printRates({ decision, bare, short, print }: Race): Promise<number> {
  const seconds = short ? 1 : 3;
  const rounds: (readonly [Turn, Turn])[] = [];
  for (const server of [bare, decision]) await warmUp(server, short ? 60_000 : 150_000);
  for (let round = 0; round < (short ? 4 : 10); round += 1) rounds.push([await turn(bare, seconds), await turn(decision, seconds)]);
  const of = (value: (round: readonly [Turn, Turn]) => number): number => median(rounds.map(value));
  const ratios = rounds.map(([a, b]) => b.perSecond / a.perSecond);
  const perSecond = of(([, b]) => b.perSecond);
  print('bare per s   µs   checks per s   µs   ratio of a round (worst to best)');
  print(
    [
      of(([a]) => a.perSecond).toFixed(0).padStart(10),
      of(([a]) => a.cpuUs).toFixed(0).padStart(4),
      perSecond.toFixed(0).padStart(14),
      of(([, b]) => b.cpuUs).toFixed(0).padStart(4),
      `${median(ratios).toFixed(2).padStart(7)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
      `  ${verdict(`at least ${LEAST_RATIO}`, ratios, (ratio) => ratio >= LEAST_RATIO)}`,
    ].join(' '),
  );
  return perSecond;
}

/** By requests and not by time: what a compiler has seen counts, and a busy machine shows it less in the same time. */
async function warmUp(server: ServerProcess, requests: number): Promise<void> {
  for (let made = 0; made < requests; ) made += await saturate(server.port, CHECKS, { connections: CONNECTIONS, seconds: 1 });
}

async function turn(server: ServerProcess, seconds: number): Promise<Turn> {
  const beforeUs = server.usedCpuUs();
  const perSecond = await saturate(server.port, CHECKS, { connections: CONNECTIONS, seconds });
  return { perSecond, cpuUs: (server.usedCpuUs() - beforeUs) / (perSecond * seconds) };
}

/** At the same rate for both: half of what the check can bear. */
async function printWaits({ decision, bare, perSecond, short, print }: Race & { readonly perSecond: number }): Promise<void> {
  print('waits since due    made per s    p50 ms    p99 ms   p99.9 ms   loader off its processor');
  const perMs = (perSecond * LOAD) / 1_000;
  const count = Math.ceil(perMs * (short ? 1_500 : 4_000));
  for (const [name, server] of [['bare', bare], ['check', decision]] as const) {
    const runs: (Waits & Disturbance)[] = [];
    for (let run = 0; run < (short ? 3 : 7); run += 1) {
      const disturbances = new Disturbances(server.pid);
      const waits = await paced(server.port, CHECKS, { connections: CONNECTIONS, count, perMs });
      runs.push({ ...waits, ...(await disturbances.end()) });
    }
    const at = (share: number) => (run: Waits): number => run.ms[Math.floor((run.ms.length - 1) * share)] ?? 0;
    const p99s = runs.map(at(0.99));
    print(
      [
        name.padEnd(15),
        median(runs.map((run) => run.perSecond)).toFixed(0).padStart(13),
        median(runs.map(at(0.5))).toFixed(2).padStart(9),
        median(p99s).toFixed(2).padStart(9),
        median(runs.map(at(0.999))).toFixed(2).padStart(10),
        `${(median(runs.map(({ offShare }) => offShare)) * 100).toFixed(1)} %`.padStart(26),
        name === 'check' ? `   ${verdict(`p99 below ${LONGEST_P99_MS} ms`, p99s, (ms) => ms < LONGEST_P99_MS)}` : '',
      ].join(' '),
    );
  }
}

async function printBatches({ decision, short, print }: Omit<Race, 'bare'>): Promise<void> {
  const batches = Array.from({ length: CALLERS / CHECKS_A_BATCH }, (_, batch) =>
    postBytes(BATCH, JSON.stringify({ checks: Array.from({ length: CHECKS_A_BATCH }, (_unused, at) => checkOf(batch * CHECKS_A_BATCH + at)) })),
  );
  const rates: number[] = [];
  for (let round = 0; round < (short ? 2 : 5); round += 1) rates.push(await saturate(decision.port, batches, { connections: 8, seconds: short ? 1 : 3 }));
  print(`batches of ${CHECKS_A_BATCH}: ${median(rates).toFixed(0)} a second, ${(median(rates) * CHECKS_A_BATCH).toFixed(0)} decisions a second`);
}
