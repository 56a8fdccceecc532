import { sharedServer } from '../run/shared-server.js';
import { startRedisCluster } from './redis-cluster.js';

/** Where the run's cluster is. */
export interface RedisClusterAddress {
  readonly urls: string[];
  /** The same as a comma list. */
  readonly url: string;
}

// Nobody kills a shared node, so a patient timeout costs nothing, and a busy machine causes no failover.
const NODE_TIMEOUT_MS = 15_000;

/** The run's one six-node cluster; isolate by key prefix. `SLUICE_TEST_REDIS_CLUSTER_URLS` (comma list) names another. */
export async function sharedRedisCluster(): Promise<RedisClusterAddress> {
  const given = process.env['SLUICE_TEST_REDIS_CLUSTER_URLS'];
  if (given !== undefined) {
    const urls = given.split(',').map((url) => url.trim());
    return { urls, url: urls.join(',') };
  }
  return sharedServer('redis-cluster', async () => {
    const { urls, url, nodes } = await startRedisCluster({ lifetime: 'run', nodeTimeoutMs: NODE_TIMEOUT_MS });
    return { address: { urls, url }, pids: nodes.map(({ pid }) => pid) };
  });
}
