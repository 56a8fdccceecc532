import { sharedRedis, sharedRedisCluster } from '@sluice/testkit';
import { Cluster, Redis } from 'ioredis';
import { loadScripts, NO_RESEND, NO_RESEND_CLUSTER, type ScriptClient } from '@sluice/lua-scripts';

/** A client as production makes it, but patient while it connects. */
export function redisClient(url: string): Redis {
  return new Redis(url, { ...NO_RESEND, enableOfflineQueue: true });
}

export function clusterClient(urls: readonly string[]): Cluster {
  return new Cluster([...urls], { ...NO_RESEND_CLUSTER, slotsRefreshTimeout: 5_000 });
}

/** The two kinds of store that every script must run on, with the scripts known. */
export const STORES: readonly { readonly name: string; connect(): Promise<ScriptClient> }[] = [
  { name: 'Redis', connect: async () => warm(redisClient((await sharedRedis()).url)) },
  { name: 'Redis Cluster', connect: async () => warm(clusterClient((await sharedRedisCluster()).urls)) },
];

async function warm(client: ScriptClient): Promise<ScriptClient> {
  if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve));
  await loadScripts(client);
  return client;
}

/** Keys of this test that no other test and no earlier run has; `n` of one name share a slot. */
export function testKeys(): (name?: string, n?: number) => string {
  const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  let count = 0;
  return (name, n = 0) => `t{${run}${name ?? (count += 1)}}${n}`;
}
