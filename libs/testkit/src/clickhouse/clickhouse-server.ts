import { freePort } from '../net/free-port.js';
import { type Lifetime, ServerProcess } from '../run/server-process.js';
import { type ClickHouseMissing, findClickHouse, SERVE_CHDB } from './find-clickhouse.js';

const READY_TIMEOUT_MS = 60_000;
const PING_TIMEOUT_MS = 2_000;

/** ClickHouse's engine behind HTTP, which this test owns. */
export interface ClickHouseServer {
  /** `http://127.0.0.1:PORT`, with the user when one was asked for; a database is added as the path. */
  readonly url: string;
  readonly port: number;
  /** Another one after `restart`. */
  readonly pid: number;
  /** kill -9. What an insert was acknowledged for is there after `restart`. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it when it runs, and starts it on the same port and data; resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

/** How a server differs from the default. */
export interface ClickHouseOptions {
  /** The only one who is let in; default: everybody. */
  readonly user?: { readonly name: string; readonly password: string };
  readonly lifetime?: Lifetime;
}

/**
 * Starts a private ClickHouse on a free port, about 0.5 s and 320 MB; resolves when it answers. Where none can be had the reason is the result, and a test is
 * skipped by name: `'missing' in (await findClickHouse()) ? describe.skip : describe`.
 */
export async function startClickHouse({ user, lifetime = 'process' }: ClickHouseOptions = {}): Promise<ClickHouseServer | ClickHouseMissing> {
  const [program, port] = await Promise.all([findClickHouse(), freePort()]);
  if ('missing' in program) return program;
  const server = new ServerProcess({
    name: `clickhouse-${port}`,
    command: program.python,
    args: (dataDir) => [SERVE_CHDB, String(port), `${dataDir}/clickhouse`],
    env: {
      PYTHONPATH: program.packages,
      PYTHONDONTWRITEBYTECODE: '1',
      ...(user === undefined ? {} : { CHDB_USER: user.name, CHDB_PASSWORD: user.password }),
    },
    lifetime,
    stopSignal: 'SIGKILL', // It acknowledges what it has written, and has nothing else to save.
  });
  const address = `http://127.0.0.1:${port}`;

  async function start(): Promise<void> {
    server.start();
    const ping = (): Promise<Response> => fetch(`${address}/ping`, { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    await server.untilReady(async () => (await (await ping()).text()) === 'Ok.\n', READY_TIMEOUT_MS);
  }

  try {
    await start();
  } catch (error) {
    await server.dispose();
    throw error;
  }
  const login = user === undefined ? '' : `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`;
  return {
    url: `http://${login}127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    restart: async () => {
      await server.end('SIGKILL');
      await start();
    },
    stop: () => server.dispose(),
  };
}
