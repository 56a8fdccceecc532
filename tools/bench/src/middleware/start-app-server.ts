import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Framework } from './app.js';
import type { Variant } from './app-variants.js';

/** Processor time of all threads of a process so far, µs. */
export interface CpuTime {
  readonly userUs: number;
  /** Of the kernel: on a loopback the other side's wake-ups are in it. */
  readonly systemUs: number;
}

/** `app-server.js` in a process of its own. */
export interface AppServer {
  readonly pid: number;
  portOf(variant: Variant): number;
  usedCpu(): Promise<CpuTime>;
  stop(): void;
}

export async function startAppServer(framework: Framework): Promise<AppServer> {
  const child = fork(join(import.meta.dirname, 'app-server.js'), [framework]);
  const told = async (): Promise<ReadonlyMap<string, unknown>> => {
    const [message]: unknown[] = await once(child, 'message');
    return new Map(Object.entries(typeof message === 'object' && message !== null ? message : {}));
  };
  const ports = await told();
  return {
    pid: child.pid ?? 0,
    portOf: (variant) => Number(ports.get(variant)),
    async usedCpu() {
      const answer = told();
      child.send('cpu');
      const used = await answer;
      return { userUs: Number(used.get('userUs')), systemUs: Number(used.get('systemUs')) };
    },
    stop: () => void child.disconnect(),
  };
}
