import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '@sluice/rules';
import { findH2load, freePort } from '@sluice/testkit';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { startDecision } from '../http/decision-process.js';
import { waitedMs } from '../latency/waited-ms.js';
import { benchRedis } from '../redis/bench-redis.js';
import { pin } from '../redis/pin.js';
import { type ServerProcess, startScript } from '../snapshot/server-process.js';
import { verdict } from '../verdict.js';
import { askOnce, framed } from './ask-once.js';
import { h2load, type Load } from './h2load.js';
import { COUNT, SHOULD_RATE_LIMIT } from './methods.js';
import { requestBytes } from './request-bytes.js';

const LEAST_RATIO = 1.5;
const LOAD = 0.5;
const LONGEST_P999_MS = 5;
const SHAPES = [
  { connections: 1, streams: 32 },
  { connections: 4, streams: 32 },
] as const;

/** A limit that nobody meets, so that permits come from leases. */
const RULES: Snapshot = {
  version: 1,
  plans: [{ plan_id: 'pro' }],
  rules: [{ rule_id: 'pro-items', version: 3, plan: 'pro', endpoint: 'GET /v1/items/{id}', limit: 1_000_000_000, window_seconds: 60 }],
  overrides: [],
};
const REQUEST = requestBytes('api', { plan: 'pro', key_id: 'customer-17', endpoint: 'GET /v1/items/7' });

type Print = (line: string) => void;
type Target = { readonly name: string; readonly server: ServerProcess; readonly port: number; answered(): Promise<number> };
type Ask = Pick<Load, 'binary' | 'bodyFile' | 'processor'>;

export const grpc: Benchmark = {
  name: 'grpc',
  about: 'ShouldRateLimit by leases beside a plain grpc-js server and raw node:http2 with a fixed answer; waits at half of what it can bear',
  async run({ short, print }) {
    const binary = await findH2load();
    if (binary === undefined) return print('h2load is not here and cannot be installed (Debian: nghttp2-client): nothing was measured');
    const canPin = availableParallelism() > 1;
    const redis = await benchRedis();
    const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-grpc-'));
    const servers: ServerProcess[] = [];
    try {
      const grpcPort = await freePort();
      const decision = await startDecision(RULES, redis.url, grpcPort);
      servers.push(decision);
      const answer = await askOnce(grpcPort, SHOULD_RATE_LIMIT, REQUEST);
      const fixed = async (name: string, script: string): Promise<Target> => {
        const server = await startScript(join(import.meta.dirname, script), [answer.toString('base64')]);
        servers.push(server);
        return { name, server, port: server.port, answered: async () => (await askOnce(server.port, COUNT, Buffer.alloc(0))).readUInt32BE(0) };
      };
      const targets: readonly Target[] = [
        await fixed('grpc-js, fixed answer', 'plain-grpc-js.js'),
        await fixed('node:http2, fixed answer', 'bare-http2.js'),
        await fixed('our transport, fixed answer', 'our-transport.js'),
        { name: 'ShouldRateLimit', server: decision, port: grpcPort, answered: () => answeredBy(decision.port) },
      ];
      const pinned = canPin && pin(redis.pid, 1) && targets.every(({ server }) => pin(server.pid, 0));
      const bodyFile = join(dir, 'request');
      writeFileSync(bodyFile, framed(REQUEST));
      const ask: Ask = { binary, bodyFile, processor: pinned ? 1 : undefined };
      print(`${pinned ? 'servers on one processor, h2load and Redis on the other' : 'processors not pinned'}; ${REQUEST.length} bytes asked, ${answer.length} answered; load average ${loadavg().map((each) => each.toFixed(1)).join(' ')}`);
      let perSecond = 0;
      for (const shape of SHAPES) perSecond = await printRates({ targets, ask, shape, short, print });
      await printWaits({ targets, ask, perSecond, short, print, logFile: join(dir, 'log') });
    } finally {
      for (const server of servers) await server.stop();
      await redis.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/** Calls that the decision service answered with OK. */
async function answeredBy(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith('sluice_grpc_call_duration_seconds_count') && each.includes('ShouldRateLimit') && each.includes('code="OK"'));
  return Number(line?.split(' ').at(-1) ?? 0);
}

interface Race {
  readonly targets: readonly Target[];
  readonly ask: Ask;
  readonly short: boolean;
  readonly print: Print;
}

interface Turn {
  readonly perSecond: number;
  /** Of the server, for each call. */
  readonly cpuUs: number;
}

/** All take turns, so that what else the machine does meanwhile falls on all. @returns calls a second of the last one */
async function printRates({ targets, ask, shape, short, print }: Race & { readonly shape: (typeof SHAPES)[number] }): Promise<number> {
  const turns = targets.map((): Turn[] => []);
  // The first warms all up.
  for (let round = -1; round < (short ? 3 : 9); round += 1) {
    for (const [at, target] of targets.entries()) {
      const taken = await turn(target, { ...ask, ...shape }, short ? 15_000 : 60_000);
      if (round >= 0) turns[at]?.push(taken);
    }
  }
  print(`${shape.connections} x ${shape.streams} calls at a time       calls per s   CPU µs   x grpc-js by rate (worst to best), by CPU`);
  const base = turns[0] ?? [];
  for (const [at, { name }] of targets.entries()) {
    const own = turns[at] ?? [];
    const ratios = own.map(({ perSecond }, round) => perSecond / (base[round]?.perSecond ?? Number.NaN));
    const byCpu = own.map(({ cpuUs }, round) => (base[round]?.cpuUs ?? Number.NaN) / cpuUs);
    const said = name === 'ShouldRateLimit' ? `   ${verdict(`at least ${LEAST_RATIO} by CPU`, byCpu, (ratio) => ratio >= LEAST_RATIO)}` : '';
    print(
      [
        name.padEnd(28),
        median(own.map(({ perSecond }) => perSecond)).toFixed(0).padStart(12),
        median(own.map(({ cpuUs }) => cpuUs)).toFixed(1).padStart(8),
        `${median(ratios).toFixed(2).padStart(9)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), ${median(byCpu).toFixed(2)}${said}`,
      ].join(' '),
    );
  }
  return median((turns.at(-1) ?? []).map(({ perSecond }) => perSecond));
}

async function turn({ server, port, name, answered }: Target, load: Omit<Load, 'port' | 'path' | 'calls'>, calls: number): Promise<Turn> {
  const before = await answered();
  const beforeUs = server.usedCpuUs();
  const { perSecond } = await h2load({ ...load, port, path: SHOULD_RATE_LIMIT, calls });
  const cpuUs = (server.usedCpuUs() - beforeUs) / calls;
  const counted = (await answered()) - before;
  if (counted !== calls) throw new Error(`${name} answered ${counted} of ${calls} calls with OK, so this measures something else`);
  return { perSecond, cpuUs };
}

/** At the same rate for all: half of what ShouldRateLimit can bear. */
async function printWaits({ targets, ask, perSecond, short, print, logFile }: Race & { readonly perSecond: number; readonly logFile: string }): Promise<void> {
  const rate = Math.floor(perSecond * LOAD);
  print(`at ${rate} calls per s over 4 connections    p50 ms    p99 ms   p99.9 ms (worst of a run)   server waited for a processor`);
  for (const { name, server, port } of targets) {
    const runs: { readonly ms: readonly number[]; readonly waitedShare: number }[] = [];
    for (let run = 0; run < (short ? 3 : 7); run += 1) {
      const [startMs, waitedBeforeMs] = [performance.now(), waitedMs(server.pid)];
      const { ms } = await h2load({ ...ask, port, path: SHOULD_RATE_LIMIT, connections: 4, streams: 32, calls: Math.ceil(rate * (short ? 1 : 3)), perSecond: rate }, logFile);
      runs.push({ ms, waitedShare: (waitedMs(server.pid) - waitedBeforeMs) / (performance.now() - startMs) });
    }
    const at = (share: number): number[] => runs.map(({ ms }) => ms[Math.floor((ms.length - 1) * share)] ?? 0);
    const p999s = at(0.999);
    const said = name === 'ShouldRateLimit' ? `   ${verdict(`p99.9 below ${LONGEST_P999_MS} ms`, p999s, (ms) => ms < LONGEST_P999_MS)}` : '';
    print(
      [
        name.padEnd(38),
        median(at(0.5)).toFixed(2).padStart(8),
        median(at(0.99)).toFixed(2).padStart(9),
        median(p999s).toFixed(2).padStart(10),
        `(${Math.max(...p999s).toFixed(2)})`.padStart(9),
        `${(median(runs.map(({ waitedShare }) => waitedShare)) * 100).toFixed(1)} %${said}`.padStart(24),
      ].join(' '),
    );
  }
}
