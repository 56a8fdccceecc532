import { Cluster } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { withRedis } from './redis-connection.js';
import { startRedisCluster } from './redis-cluster.js';
import { sharedRedisCluster } from './shared-redis-cluster.js';

const TIMEOUT_MS = 30_000;

describe('R90 the shared six-node cluster', () => {
  it('serves every slot through a cluster client, and is the same for all who ask', async () => {
    const [first, second] = await Promise.all([sharedRedisCluster(), sharedRedisCluster()]);
    expect(second).toEqual(first);
    expect(first.urls).toHaveLength(6);
    expect(first.url.split(',')).toEqual(first.urls);
    const cluster = new Cluster(first.urls);
    const keys = Array.from({ length: 60 }, (_, index) => `testkit:${process.pid}:${index}`);
    await Promise.all(keys.map((key) => cluster.set(key, key, 'PX', 10_000)));
    expect(await Promise.all(keys.map((key) => cluster.get(key)))).toEqual(keys);
    expect([cluster.nodes('master').length, cluster.nodes('slave').length]).toEqual([3, 3]);
    cluster.disconnect();
  }, TIMEOUT_MS);
});

describe('R90 a private cluster', () => {
  it('promotes the replica of a primary that was killed', async () => {
    const { nodes, stop } = await startRedisCluster({ nodeTimeoutMs: 500 });
    const [primary, , , replica] = nodes;
    const role = async (): Promise<unknown> => (await withRedis(replica?.port ?? 0, (redis) => redis.role()))[0];
    expect(await role()).toBe('slave');
    await primary?.kill();
    const deadline = Date.now() + 15_000;
    while ((await role()) !== 'master' && Date.now() < deadline) await sleep(50);
    expect(await role()).toBe('master');
    await stop();
  }, TIMEOUT_MS);
});
