import { setTimeout as sleep } from 'node:timers/promises';
import { withRedis } from './redis-connection.js';
import { type RedisServer, startRedis } from './redis-server.js';

const LINK_TIMEOUT_MS = 15_000;

/** A primary and its replica. */
export interface RedisReplicaPair {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  stop(): Promise<void>;
}

/** Starts a primary and a replica; resolves when the replica has the primary's data. */
export async function startRedisReplicaPair(): Promise<RedisReplicaPair> {
  const primary = await startRedis({ config: ['--repl-diskless-sync-delay', '0'] });
  const replica = await startRedis({ config: ['--replicaof', '127.0.0.1', String(primary.port)] });
  const stop = async (): Promise<void> => {
    await Promise.all([replica.stop(), primary.stop()]);
  };
  try {
    await untilLinked(replica.port, LINK_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { primary, replica, stop };
}

/** Waits until a replica has finished its first synchronisation and follows its primary. */
export async function untilLinked(port: number, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  await withRedis(port, async (redis) => {
    while (!(await redis.info('replication')).includes('master_link_status:up')) {
      if (Date.now() > deadline) throw new Error(`the replica on port ${port} had no link to its primary after ${timeoutMs} ms`);
      await sleep(10);
    }
  });
}
