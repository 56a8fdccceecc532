import type { ServerCommand } from '../run/server-process.js';
import { ServerProcess } from '../run/server-process.js';
import { isListening } from './is-listening.js';

const READY_TIMEOUT_MS = 15_000;

/** A real proxy that this test owns. */
export interface ProxyServer {
  readonly pid: number;
  /** The end of what it printed. */
  readonly log: string;
  /** kill -9, children too. */
  kill(): Promise<void>;
  /** Ends it for good and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a proxy; resolves when it listens on the port. `prepare` writes its files into its folder. Rejects with what it said of a configuration that it does not take. */
export async function startProxy(command: ServerCommand, port: number, prepare: (dataDir: string) => void): Promise<ProxyServer> {
  const server = new ServerProcess(command);
  try {
    prepare(server.dataDir);
    server.start();
    await server.untilReady(() => isListening(port), READY_TIMEOUT_MS);
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return {
    get pid() {
      return server.pid;
    },
    get log() {
      return server.logTail;
    },
    kill: () => server.kill(),
    stop: () => server.dispose(),
  };
}
