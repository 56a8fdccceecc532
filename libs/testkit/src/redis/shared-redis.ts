import { sharedServer } from '../run/shared-server.js';
import { startRedis } from './redis-server.js';

/** The run's one single Redis; isolate by key prefix. `SLUICE_TEST_REDIS_URL` names another. */
export async function sharedRedis(): Promise<{ readonly url: string }> {
  const given = process.env['SLUICE_TEST_REDIS_URL'];
  if (given !== undefined) return { url: given };
  return sharedServer('redis', async () => {
    const { url, pid } = await startRedis({ lifetime: 'run' });
    return { address: { url }, pids: [pid] };
  });
}
