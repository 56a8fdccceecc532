import { freePort } from '../net/free-port.js';
import { type Lifetime, ServerProcess } from '../run/server-process.js';
import { findRedis } from './find-redis.js';
import { withRedis } from './redis-connection.js';

const READY_TIMEOUT_MS = 15_000;

/** A real redis-server that this test owns. */
export interface RedisServer {
  /** `redis://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** Another one after `restart`. */
  readonly pid: number;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it when it runs, and starts it on the same port and folder; resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it for good and removes its folder. */
  stop(): Promise<void>;
}

/** How a server differs from the default, which keeps nothing on disk. */
export interface RedisOptions {
  /** Arguments as redis-server takes them, added last, so that they win: `['--appendonly', 'yes']`. */
  readonly config?: readonly string[];
  /** Default `process`: the server ends with this process at the latest. */
  readonly lifetime?: Lifetime;
}

/** Starts a private redis-server on a free port; resolves when it answers PING. */
export async function startRedis({ config = [], lifetime = 'process' }: RedisOptions = {}): Promise<RedisServer> {
  const [command, port] = await Promise.all([findRedis(), freePort()]);
  const server = new ServerProcess({
    name: `redis-${port}`,
    command,
    args: (dataDir) => [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dataDir],
      ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
      ...config,
    ],
    lifetime,
    stopSignal: 'SIGKILL', // Nothing of it is kept, so there is nothing to save.
  });

  async function start(): Promise<void> {
    server.start();
    await server.untilReady(async () => (await withRedis(port, (redis) => redis.ping())) === 'PONG', READY_TIMEOUT_MS);
  }

  try {
    await start();
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    restart: async () => {
      await server.end('SIGTERM', 5_000);
      await start();
    },
    stop: () => server.dispose(),
  };
}
