import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../net/free-port.js';
import type { Lifetime } from '../run/server-process.js';
import { redisConnection } from './redis-connection.js';
import { untilLinked } from './redis-replica-pair.js';
import { type RedisServer, startRedis } from './redis-server.js';

const PRIMARIES = 3;
const NODES = 6;
const SLOTS = 16_384;
const READY_TIMEOUT_MS = 30_000;

/** Three primaries with a replica each: `nodes[i + 3]` follows `nodes[i]` until a failover. */
export interface RedisCluster {
  readonly urls: string[];
  /** The same as a comma list, as `SLUICE_REDIS_URL` takes it. */
  readonly url: string;
  readonly nodes: RedisServer[];
  stop(): Promise<void>;
}

/** How a cluster differs from the default. */
export interface RedisClusterOptions {
  /** How long a node is silent before the others hold it for dead: about half of what a failover takes. */
  readonly nodeTimeoutMs?: number;
  readonly lifetime?: Lifetime;
}

// After its start a Redis primary calls the cluster healthy only when it has waited for 2 s, and for the node
// timeout (5 s at most): so clusters come up with a short one, and get the one asked for when they are ready.
const FORMING_NODE_TIMEOUT_MS = 2_000;

/** Starts a private six-node cluster; resolves when every node serves all slots and every replica is linked. About 2.1 s. */
export async function startRedisCluster({
  nodeTimeoutMs = 2_000,
  lifetime = 'process',
}: RedisClusterOptions = {}): Promise<RedisCluster> {
  const busPorts = await freePorts(NODES);
  const started = await Promise.allSettled(
    busPorts.map((busPort) =>
      startRedis({
        lifetime,
        config: [
          ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-port', String(busPort)],
          ...['--cluster-node-timeout', String(Math.min(nodeTimeoutMs, FORMING_NODE_TIMEOUT_MS)), '--cluster-replica-validity-factor', '0'],
          // A replica is listed to clients only once its offset is above 0, and a ping is what first moves it.
          ...['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'],
        ],
      }),
    ),
  );
  const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    await join(nodes, busPorts, nodeTimeoutMs);
  } catch (error) {
    await stop();
    throw error;
  }
  const urls = nodes.map(({ url }) => url);
  return { urls, url: urls.join(','), nodes, stop };
}

async function join(nodes: readonly RedisServer[], busPorts: readonly number[], nodeTimeoutMs: number): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const connections = await Promise.all(nodes.map(({ port }) => redisConnection(port)));
  try {
    await Promise.all(connections.map((redis, index) => introduce(redis, index, nodes, busPorts)));
    await Promise.all(connections.slice(PRIMARIES).map((redis, index) => follow(redis, connections[index], deadline)));
    await Promise.all(nodes.slice(PRIMARIES).map(({ port }) => untilLinked(port, READY_TIMEOUT_MS)));
    await Promise.all(connections.map((redis) => until(deadline, () => seesWholeCluster(redis))));
    await Promise.all(connections.map((redis) => redis.config('SET', 'cluster-node-timeout', nodeTimeoutMs)));
  } finally {
    for (const redis of connections) redis.disconnect();
  }
}

/** Takes a primary's share of the slots and meets every later node: with all pairs met nobody waits for gossip. */
async function introduce(redis: Redis, index: number, nodes: readonly RedisServer[], busPorts: readonly number[]): Promise<void> {
  // Different epochs from the start, or the nodes spend seconds settling whose claim is newer.
  await redis.cluster('SET-CONFIG-EPOCH', index + 1);
  if (index < PRIMARIES) {
    const [first, end] = [index, index + 1].map((part) => Math.floor((SLOTS * part) / PRIMARIES)) as [number, number];
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', first, end - 1);
  }
  for (const [other, { port }] of nodes.entries()) {
    if (other > index) await redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPorts[other] ?? 0);
  }
}

async function follow(replica: Redis, primary: Redis | undefined, deadline: number): Promise<void> {
  const primaryId = String(await primary?.cluster('MYID'));
  // Refused until the two have met.
  await until(deadline, async () => (await replica.cluster('REPLICATE', primaryId)) === 'OK');
}

async function seesWholeCluster(redis: Redis): Promise<boolean> {
  const info = String(await redis.cluster('INFO'));
  const ranges = await redis.cluster('SLOTS');
  return (
    info.includes('cluster_state:ok') &&
    info.includes(`cluster_slots_ok:${SLOTS}`) &&
    info.includes(`cluster_known_nodes:${NODES}`) &&
    ranges.length === PRIMARIES &&
    ranges.every(([, , ...servers]) => servers.length === NODES / PRIMARIES)
  );
}

async function until(deadline: number, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`the Redis cluster was not ready after ${READY_TIMEOUT_MS} ms`);
    await sleep(10);
  }
}
