import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Snapshot, snapshotChecksum } from '@sluice/rules';
import { freePort } from '@sluice/testkit';
import { isReady, processOf, type ServerProcess } from '../snapshot/server-process.js';

const ROOT = join(import.meta.dirname, '../../../..');
const READY_MS = 30_000;

/** The gateway as it is deployed, with these rules, for which every key is known; resolves when it is ready. */
export async function startGateway(snapshot: Snapshot, redisUrl: string, upstreamUrl: string): Promise<ServerProcess> {
  const control = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/v1/keys:lookup') response.end(JSON.stringify({ key_id: 'k-1', tenant_id: 't-1', plan: 'free', disabled: false }));
    else response.writeHead(200, { ETag: `"${snapshot.version}"`, 'Sluice-Checksum': snapshotChecksum(snapshot) }).end(JSON.stringify(snapshot));
  });
  const [controlPort, port, opsPort] = [await freePort(), await freePort(), await freePort()];
  await new Promise<void>((resolve) => control.listen(controlPort, '127.0.0.1', resolve));
  control.unref();
  const env = {
    ...process.env,
    SLUICE_ADMIN_URL: `http://127.0.0.1:${controlPort}`,
    SLUICE_ADMIN_TOKEN: 'bench-node-token',
    SLUICE_REDIS_URL: redisUrl,
    SLUICE_SNAPSHOT_POLL: '3600s',
    SLUICE_UPSTREAM_URL: upstreamUrl,
    SLUICE_GATEWAY_HOST: '127.0.0.1',
    SLUICE_GATEWAY_PORT: String(port),
    SLUICE_GATEWAY_OPS_PORT: String(opsPort),
    SLUICE_LOG_LEVEL: 'error',
    SLUICE_EDGE_IP_LIMIT: '1000000/1s',
  };
  const flags = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(process.execPath, [...flags, join(ROOT, 'apps/gateway/dist/main.js')], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const deadlineMs = performance.now() + READY_MS;
  while (!(await isReady(opsPort))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) throw new Error('the gateway did not become ready');
    await sleep(50);
  }
  return processOf(child, port);
}
