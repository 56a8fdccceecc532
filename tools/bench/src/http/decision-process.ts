import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Snapshot, snapshotChecksum } from '@sluice/rules';
import { freePort } from '@sluice/testkit';
import { isReady, processOf, type ServerProcess } from '../snapshot/server-process.js';

const ROOT = join(import.meta.dirname, '../../../..');
const READY_MS = 30_000;

/** The decision service as it is deployed, with these rules, and further variables where given; resolves when it is ready. It asks for them once, of this process. */
export async function startDecision(snapshot: Snapshot, redisUrl: string, grpcPort = 0, further: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const control = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ETag: `"${snapshot.version}"`, 'Sluice-Checksum': snapshotChecksum(snapshot) }).end(JSON.stringify(snapshot));
  });
  const controlPort = await freePort();
  await new Promise<void>((resolve) => control.listen(controlPort, '127.0.0.1', resolve));
  const port = await freePort();
  const env = {
    ...process.env,
    SLUICE_ADMIN_URL: `http://127.0.0.1:${controlPort}`,
    SLUICE_ADMIN_TOKEN: 'bench-node-token',
    SLUICE_REDIS_URL: redisUrl,
    SLUICE_SNAPSHOT_POLL: '3600s',
    SLUICE_DECISION_HOST: '127.0.0.1',
    SLUICE_DECISION_PORT: String(port),
    SLUICE_DECISION_GRPC_PORT: String(grpcPort),
    SLUICE_LOG_LEVEL: 'error',
    ...further,
  };
  const flags = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(process.execPath, [...flags, join(ROOT, 'apps/decision/dist/main.js')], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const deadlineMs = performance.now() + READY_MS;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) throw new Error('the decision service did not become ready');
    await sleep(50);
  }
  control.close();
  return processOf(child, port);
}
