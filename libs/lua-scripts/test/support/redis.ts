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

/** Keys of this test that no other test and no earlier run has: call it for a new tag, whose `n`-th keys share a slot. */
export function keyTags(): () => (n?: number) => string {
  const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  let tags = 0;
  return () => {
    const tag = `{${run}${(tags += 1)}}`;
    return (n = 0) => `t${tag}${n}|k`;
  };
}

/** A new key at each call. */
export function testKeys(): () => string {
  const newTag = keyTags();
  return () => newTag()();
}
