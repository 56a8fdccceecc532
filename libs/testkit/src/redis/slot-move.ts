import type { Redis } from 'ioredis';
import type { RedisCluster } from './redis-cluster.js';
import { withRedis } from './redis-connection.js';
import type { RedisServer } from './redis-server.js';

/** The nodes that a slot of a cluster can be on: the primary that has it, and the other primaries. */
export interface SlotPlace {
  readonly owner: RedisServer;
  readonly others: readonly RedisServer[];
}

/** Asks the cluster which primary has a slot. */
export async function slotPlace({ nodes }: RedisCluster, slot: number): Promise<SlotPlace> {
  const [first] = nodes;
  if (first === undefined) throw new Error('a cluster without nodes');
  const ranges = (await withRedis(first.port, (redis) => redis.cluster('SLOTS'))) as unknown as [number, number, [string, number]][];
  const primaries = ranges.map(([from, to, [, port]]) => ({ server: nodes.find((node) => node.port === port), has: slot >= from && slot <= to }));
  const owner = primaries.find(({ has }) => has)?.server;
  if (owner === undefined) throw new Error(`no primary has slot ${slot}`);
  return { owner, others: [...new Set(primaries.flatMap(({ server }) => server ?? []))].filter((server) => server !== owner) };
}

/** A slot on its way from one primary to another, step by step, as `redis-cli --cluster reshard` does it. */
export interface SlotMove {
  /** IMPORTING there, MIGRATING here: from now on keys that are not here (any more) are answered with ASK. */
  begin(): Promise<void>;
  /** Moves up to `count` keys by MIGRATE; resolves to how many. Between two calls TRYAGAIN answers who asks for keys of both halves. */
  moveKeys(count: number): Promise<number>;
  /** Moves what is left and gives the slot to its new owner: from now on the old one answers with MOVED. */
  finish(): Promise<void>;
}

export function slotMove(slot: number, from: RedisServer, to: RedisServer): SlotMove {
  const setSlot = async (server: RedisServer, ...state: string[]): Promise<void> => {
    await withRedis(server.port, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, ...state));
  };
  const moveKeys = (count: number): Promise<number> => withRedis(from.port, (redis) => migrate(redis, slot, to.port, count));
  return {
    async begin() {
      await setSlot(to, 'IMPORTING', await idOf(from));
      await setSlot(from, 'MIGRATING', await idOf(to));
    },
    moveKeys,
    async finish() {
      while ((await moveKeys(100)) > 0);
      const newOwner = await idOf(to);
      for (const server of [to, from]) await setSlot(server, 'NODE', newOwner);
    },
  };
}

function idOf({ port }: RedisServer): Promise<string> {
  return withRedis(port, async (redis) => String(await redis.cluster('MYID')));
}

async function migrate(redis: Redis, slot: number, port: number, count: number): Promise<number> {
  const keys = (await redis.call('CLUSTER', 'GETKEYSINSLOT', slot, count)) as string[];
  if (keys.length > 0) await redis.call('MIGRATE', '127.0.0.1', port, '', 0, 5_000, 'KEYS', ...keys);
  return keys.length;
}
