import { HeapGrowth } from '../heap-growth.js';
import type { BenchRedis } from '../redis/bench-redis.js';
import type { Subject } from './subject.js';

/** One run of one subject. */
export interface Figures {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** Processor time a call, µs, of the loader and of the server. */
  readonly clientUs: number;
  readonly serverUs: number;
  /** Allocated by the loader for a call. */
  readonly bytes: number;
}

/** Calls between two looks at the heap. */
const CALLS_A_LOOK = 250;

/** `concurrency` callers, each of which asks again when it has its answer. */
export async function measure(subject: Subject, redis: BenchRedis, callers: readonly string[], concurrency: number): Promise<Figures> {
  const waitsUs = new Float64Array(callers.length);
  let next = 0;
  let ended = 0;
  subject.prepare(callers);
  const growth = new HeapGrowth();
  const caller = async (): Promise<void> => {
    while (next < callers.length) {
      const at = next;
      next += 1;
      const startMs = performance.now();
      if (!(await subject.call(callers[at] ?? ''))) throw new Error(`${subject.name}: a call was not granted by the store, so this measures something else`);
      waitsUs[at] = (performance.now() - startMs) * 1000;
      ended += 1;
      if (ended % CALLS_A_LOOK === 0) growth.look(CALLS_A_LOOK);
    }
  };
  const serverBefore = await redis.usedCpuUs();
  const clientBefore = process.cpuUsage();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: concurrency }, caller));
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(clientBefore);
  const serverUs = (await redis.usedCpuUs()) - serverBefore;
  waitsUs.sort();
  const calls = callers.length;
  return {
    perSecond: (calls / elapsedMs) * 1000,
    p50Us: waitsUs[Math.floor(calls * 0.5)] ?? 0,
    p99Us: waitsUs[Math.floor(calls * 0.99)] ?? 0,
    clientUs: (user + system) / calls,
    serverUs: serverUs / calls,
    bytes: growth.bytesEach,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
