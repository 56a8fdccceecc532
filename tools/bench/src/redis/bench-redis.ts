import { availableParallelism } from 'node:os';
import { startRedis } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { pin, pinMainThread } from './pin.js';

/** A Redis of its own for a benchmark, on one processor, with the loader on another. */
export interface BenchRedis {
  readonly url: string;
  readonly pid: number;
  /** What was arranged, for the head of the figures. */
  readonly about: string;
  /** Processor time of the server so far, µs. */
  usedCpuUs(): Promise<number>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export async function benchRedis(): Promise<BenchRedis> {
  const server = await startRedis();
  const pinned = availableParallelism() > 1 && pin(server.pid, 0) && pinMainThread(process.pid, 1);
  const admin = new Redis(server.url);
  const info = await admin.info('server');
  const version = /redis_version:(\S+)/.exec(info)?.[1] ?? 'of unknown version';
  return {
    url: server.url,
    pid: server.pid,
    about: `Redis ${version}, ${pinned ? 'server and loader on a processor each' : 'processors not pinned'}`,
    async usedCpuUs() {
      const text = await admin.info('cpu');
      const seconds = (name: string): number => Number(new RegExp(`${name}:(\\S+)`).exec(text)?.[1] ?? 0);
      return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
    },
    async flush() {
      await admin.flushall();
    },
    async stop() {
      admin.disconnect();
      await server.stop();
    },
  };
}
