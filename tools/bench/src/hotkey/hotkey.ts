import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter, redisStore, type Limiter } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { startRedisCluster } from '@sluice/testkit';
import type { Benchmark } from '../benchmark.js';
import { MasterLoads } from './master-load.js';

const NODES = 12;
const MASTERS = 3;
const CALLERS = 192;
const SHARDS = [1, 3, 6, 12, 24];
const TIMEOUT_MS = 5_000;
/** Two permits: requests for one share a trip, and here each is to make its own. */
const COST = 2;

export const hotkey: Benchmark = {
  name: 'hotkey',
  about: `trips that one key can take on a cluster of three masters, whole and split, asked by ${NODES} nodes`,
  async run({ short, print }) {
    const cluster = await startRedisCluster({ nodeTimeoutMs: 15_000 });
    const loads = new MasterLoads(cluster.urls.slice(0, MASTERS));
    print('shards   trips/s   share of each master   busiest: µs of its core a trip   trips/s when its core is full');
    try {
      for (const shards of SHARDS) print(await measure(cluster.url, loads, shards, short ? 10_000 : 60_000));
    } finally {
      loads.close();
      await cluster.stop();
    }
  },
};

async function measure(url: string, loads: MasterLoads, shards: number, calls: number): Promise<string> {
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, at) => open(url, shards, at)));
  const limiters = nodes.map(({ limiter }) => limiter);
  // By then each knows its place among them, and with it its shard.
  while (limiters.some((limiter) => limiter.stats().fleetSize < NODES)) await sleep(50);
  await ask(limiters, calls / 10);
  let elapsedMs = 0;
  const masters = await loads.during(async () => {
    const startMs = performance.now();
    await ask(limiters, calls);
    elapsedMs = performance.now() - startMs;
  });
  await Promise.all(nodes.map(({ close }) => close()));
  const runs = masters.reduce((sum, each) => sum + each.runs, 0);
  const busiestUs = Math.max(...masters.map(({ cpuUs }) => cpuUs)) / calls;
  const spread = masters.map((each) => `${((100 * each.runs) / runs).toFixed(0)} %`).join(' / ');
  return [String(shards).padEnd(8), ((calls / elapsedMs) * 1000).toFixed(0).padStart(7), spread.padStart(22), busiestUs.toFixed(1).padStart(32), (1e6 / busiestUs).toFixed(0).padStart(31)].join(' ');
}

async function open(url: string, shards: number, at: number): Promise<{ limiter: Limiter; close: () => Promise<void> }> {
  const store = redisStore({ url, timeoutMs: TIMEOUT_MS });
  await store.ready(TIMEOUT_MS);
  const rules = compileSnapshot({
    version: 1,
    plans: [],
    rules: [{ rule_id: `hot-${shards}`, version: 1, limit: 1_000_000_000, window_seconds: 3600, consistency: 'exact', shards }],
    overrides: [],
  });
  const limiter = createLimiter({ store, rules, nodeId: `gateway-${at}`, hotKeys: false });
  return {
    limiter,
    close: async () => {
      await limiter.close();
      await store.close();
    },
  };
}

async function ask(limiters: readonly Limiter[], calls: number): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < calls) {
      const limiter = limiters[next % limiters.length];
      next += 1;
      const decision = await limiter?.check({ key_id: 'hot' }, COST);
      if (decision?.allowed !== true || decision.deciding?.source !== 'store') throw new Error('a call was not granted by the store, so this measures something else');
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
