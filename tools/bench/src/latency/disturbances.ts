import { PerformanceObserver } from 'node:perf_hooks';
import { waitedMs } from './waited-ms.js';

/** What kept this thread from its work. */
export interface Disturbance {
  /** Share of the time in which it was not on a processor although it never waits: others had it, or it waited for helpers of the collector. */
  readonly offShare: number;
  /** Share of the time in which the server had work and no processor; NaN where the system does not tell. */
  readonly serverWaitedShare: number;
  /** Collections a second, and the longest, ms. */
  readonly collectionsPerSecond: number;
  readonly longestCollectionMs: number;
}

/** Watches what disturbs a loop that never waits, and the server that it asks, from now until it is asked. */
export class Disturbances {
  private readonly collectionsMs: number[] = [];
  private readonly startMs = performance.now();
  private readonly start = process.threadCpuUsage();
  private readonly serverStartMs: number;
  private readonly observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) this.collectionsMs.push(duration);
  });

  constructor(private readonly serverPid: number) {
    this.serverStartMs = waitedMs(serverPid);
    this.observer.observe({ entryTypes: ['gc'] });
  }

  async end(): Promise<Disturbance> {
    const elapsedMs = performance.now() - this.startMs;
    const { user, system } = process.threadCpuUsage(this.start);
    const serverWaitedMs = waitedMs(this.serverPid) - this.serverStartMs;
    // The observer hears of the last collections behind this.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.observer.disconnect();
    return {
      offShare: Math.max(0, 1 - (user + system) / 1000 / elapsedMs),
      serverWaitedShare: serverWaitedMs / elapsedMs,
      collectionsPerSecond: (this.collectionsMs.length / elapsedMs) * 1000,
      longestCollectionMs: Math.max(0, ...this.collectionsMs),
    };
  }
}
