import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '@sluice/rules';
import { startRedis } from '@sluice/testkit';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { saturate } from '../http/saturate.js';
import { pin } from '../redis/pin.js';
import { type ServerProcess, startScript } from '../snapshot/server-process.js';
import { verdict } from '../verdict.js';
import { startGateway } from './gateway-process.js';

const CONNECTIONS = 32;
const LEAST_RATIO = 0.8;
/** One pass by address for all gateways, one by key; both on local leases. */
const RULES: Snapshot = {
  version: 1,
  plans: [{ plan_id: 'free' }],
  rules: [
    { rule_id: 'coarse', version: 1, domain: 'edge', count_by: ['ip'], policy: 'address', limit: 100_000_000, window_seconds: 60 },
    { rule_id: 'free-default', version: 1, plan: 'free', limit: 100_000_000, window_seconds: 60 },
  ],
  overrides: [],
};
const ONE_PASS: Snapshot = { ...RULES, rules: RULES.rules.slice(1) };
const REQUEST = Buffer.from('GET /v1/items/7 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: bench-key\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n');

export const gateway: Benchmark = {
  name: 'gateway',
  about: 'the gateway beside the bare proxy library in front of the same upstream: requests by key on a local lease, one pass and two',
  async run({ short, print }) {
    const redis = await startRedis();
    const servers: ServerProcess[] = [];
    const started = async (server: Promise<ServerProcess>): Promise<ServerProcess> => {
      servers.push(await server);
      return server;
    };
    try {
      const upstream = await started(startScript(join(import.meta.dirname, 'bare-upstream.js'), []));
      const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
      const bare = await started(startScript(join(import.meta.dirname, 'bare-proxy.js'), [upstreamUrl]));
      const onePass = await started(startGateway(ONE_PASS, redis.url, upstreamUrl));
      const twoPasses = await started(startGateway(RULES, redis.url, upstreamUrl));
      const several = availableParallelism() > 1;
      const pinned = several && [bare, onePass, twoPasses].every(({ pid }) => pin(pid, 0)) && [upstream.pid, redis.pid, process.pid].every((pid) => pin(pid, 1));
      print(`GET through a proxy, ${CONNECTIONS} connections, ${pinned ? 'proxy on one processor, loader and upstream on the other' : 'processors not pinned'}`);
      const rounds: Record<'bare' | 'onePass' | 'twoPasses', Turn>[] = [];
      for (let round = 0; round < (short ? 4 : 9); round += 1) {
        const seconds = short ? 1.5 : 3;
        const turns = { bare: await turn(bare, seconds), onePass: await turn(onePass, seconds), twoPasses: await turn(twoPasses, seconds) };
        // The first one warms the code up.
        if (round > 0) rounds.push(turns);
      }
      print('                 per s   CPU µs a request   loader off its processor');
      for (const name of ['bare', 'onePass', 'twoPasses'] as const) {
        const of = (value: (taken: Turn) => number): number => median(rounds.map((taken) => value(taken[name])));
        print([NAMES[name].padEnd(14), of(({ perSecond }) => perSecond).toFixed(0).padStart(8), of(({ cpuUs }) => cpuUs).toFixed(1).padStart(18), `${(100 * of(({ idle }) => idle)).toFixed(0)} %`.padStart(26)].join(' '));
      }
      for (const name of ['onePass', 'twoPasses'] as const) {
        const ratios = rounds.map((taken) => taken[name].perSecond / taken.bare.perSecond);
        const cpu = rounds.map((taken) => taken.bare.cpuUs / taken[name].cpuUs);
        print(`${NAMES[name]}, of the bare library's: rate ${spread(ratios)}   ${goal(ratios)}; by CPU ${spread(cpu)}   ${goal(cpu)}`);
      }
    } finally {
      for (const server of servers.reverse()) await server.stop();
      await redis.stop();
    }
  },
};

const spread = (values: readonly number[]): string => `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
const goal = (values: readonly number[]): string => verdict(`at least ${LEAST_RATIO}`, values, (ratio) => ratio >= LEAST_RATIO);

const NAMES = { bare: 'bare library', onePass: 'one pass', twoPasses: 'two passes' } as const;

interface Turn {
  readonly perSecond: number;
  /** Of the proxy, for each answer. */
  readonly cpuUs: number;
  /** Share of the time that the loader did not run: it waited for the proxy, or for its processor. */
  readonly idle: number;
}

async function turn(server: ServerProcess, seconds: number): Promise<Turn> {
  const cpuBeforeUs = server.usedCpuUs();
  const [own, startMs] = [process.cpuUsage(), performance.now()];
  const perSecond = await saturate(server.port, [REQUEST], { connections: CONNECTIONS, seconds });
  const { user, system } = process.cpuUsage(own);
  return { perSecond, cpuUs: (server.usedCpuUs() - cpuBeforeUs) / (perSecond * seconds), idle: 1 - (user + system) / 1000 / (performance.now() - startMs) };
}
