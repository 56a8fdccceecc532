import { PerformanceObserver } from 'node:perf_hooks';

/** What kept this thread from its work. */
export interface Disturbance {
  /** Share of the time in which it was not on a processor although it never waits: others had it, or it waited for helpers of the collector. */
  readonly offShare: number;
  /** Collections a second, and the longest, ms. */
  readonly collectionsPerSecond: number;
  readonly longestCollectionMs: number;
}

/** Watches what disturbs a loop that never waits, from now until it is asked. */
export class Disturbances {
  private readonly collectionsMs: number[] = [];
  private readonly startMs = performance.now();
  private readonly start = process.threadCpuUsage();
  private readonly observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) this.collectionsMs.push(duration);
  });

  constructor() {
    this.observer.observe({ entryTypes: ['gc'] });
  }

  async end(): Promise<Disturbance> {
    const elapsedMs = performance.now() - this.startMs;
    const { user, system } = process.threadCpuUsage(this.start);
    // The observer hears of the last collections behind this.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.observer.disconnect();
    return {
      offShare: Math.max(0, 1 - (user + system) / 1000 / elapsedMs),
      collectionsPerSecond: (this.collectionsMs.length / elapsedMs) * 1000,
      longestCollectionMs: Math.max(0, ...this.collectionsMs),
    };
  }
}
