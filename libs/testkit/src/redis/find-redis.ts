import { aptInstall } from '../find/apt-install.js';
import { findOnPath } from '../find/find-on-path.js';

/**
 * The path of redis-server: from `PATH`, else installed by apt-get when root on Debian. No npm package ships
 * the server itself; those that there are download or compile it.
 */
export async function findRedis(): Promise<string> {
  const path = findOnPath('redis-server') ?? (await aptInstall('redis-server', 'redis-server'));
  if (path !== undefined) return path;
  throw new Error(
    'redis-server is not on PATH, and it can be installed from here only as root on Debian or Ubuntu. ' +
      'Install Redis 7 or later (apt-get install redis-server, brew install redis), or point SLUICE_TEST_REDIS_URL and ' +
      'SLUICE_TEST_REDIS_CLUSTER_URLS at running servers (shared servers only: private ones must be killed and need the program).',
  );
}
