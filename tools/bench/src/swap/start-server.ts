import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServeOrder } from './snapshot-server.js';

export interface SnapshotServer {
  readonly url: string;
  /** Resolves when the version can be fetched, to the bytes of its body. */
  serve(order: ServeOrder): Promise<number>;
  stop(): void;
}

/** Starts `snapshot-server.js` beside this process. */
export async function startServer(): Promise<SnapshotServer> {
  const child = fork(fileURLToPath(new URL('./snapshot-server.js', import.meta.url)));
  const answer = async (name: string): Promise<number> => {
    const [message]: unknown[] = await once(child, 'message');
    const value: unknown = typeof message === 'object' && message !== null ? Object.entries(message).find(([key]) => key === name)?.[1] : undefined;
    if (typeof value !== 'number') throw new Error(`the snapshot server said no ${name}`);
    return value;
  };
  const port = await answer('port');
  return {
    url: `http://127.0.0.1:${port}`,
    serve(order) {
      child.send(order);
      return answer('bytes');
    },
    stop: () => void child.disconnect(),
  };
}
