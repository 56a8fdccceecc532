import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../net/free-port.js';
import { type Lifetime, ServerProcess } from '../run/server-process.js';
import { findEnvoy } from './find-envoy.js';

const READY_TIMEOUT_MS = 30_000;
const ADMIN_TIMEOUT_MS = 2_000;

/** A real Envoy that this test owns. */
export interface EnvoyServer {
  /** Its admin interface, on a port that is chosen here. */
  readonly adminUrl: string;
  readonly pid: number;
  /** Counters and gauges whose name matches, by name. */
  stats(filter: RegExp): Promise<Readonly<Record<string, number>>>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Ends it for good and removes its folder. */
  stop(): Promise<void>;
}

/** What to run. */
export interface EnvoyOptions {
  /** A bootstrap configuration as YAML; its `admin` is replaced. */
  readonly config: string;
  /** Default `process`: the server ends with this process at the latest. */
  readonly lifetime?: Lifetime;
}

/**
 * Starts a private Envoy; resolves when it is live, its listeners open. Undefined where no Envoy can be had ({@link findEnvoy}): then a test
 * is skipped by name. Rejects with what Envoy said of a configuration that it does not take.
 */
export async function startEnvoy({ config, lifetime = 'process' }: EnvoyOptions): Promise<EnvoyServer | undefined> {
  const [command, adminPort] = await Promise.all([findEnvoy(), freePort()]);
  if (command === undefined) return undefined;
  const admin = JSON.stringify({ admin: { address: { socket_address: { address: '127.0.0.1', port_value: adminPort } } } });
  const server = new ServerProcess({
    name: `envoy-${adminPort}`,
    command,
    // Hot restart shares memory between all Envoys of a machine.
    args: (dataDir) => [
      ...['--config-path', join(dataDir, 'envoy.yaml'), '--config-yaml', admin],
      ...['--disable-hot-restart', '--concurrency', '1', '--log-level', 'warning'],
    ],
    lifetime,
    stopSignal: 'SIGKILL', // It keeps nothing.
  });
  writeFileSync(join(server.dataDir, 'envoy.yaml'), config);
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const get = (path: string): Promise<Response> => fetch(`${adminUrl}${path}`, { signal: AbortSignal.timeout(ADMIN_TIMEOUT_MS) });
  try {
    server.start();
    await server.untilReady(async () => (await get('/ready')).status === 200, READY_TIMEOUT_MS);
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return {
    adminUrl,
    get pid() {
      return server.pid;
    },
    async stats(filter) {
      const { stats } = (await (await get('/stats?format=json')).json()) as { stats: readonly { name?: string; value?: number }[] };
      return Object.fromEntries(stats.flatMap(({ name, value }) => (name !== undefined && value !== undefined && filter.test(name) ? [[name, value] as const] : [])));
    },
    kill: () => server.kill(),
    stop: () => server.dispose(),
  };
}
