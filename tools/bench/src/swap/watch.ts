import { PerformanceObserver } from 'node:perf_hooks';
import type { Limiter } from '@sluice/limiter';
import { attributesOf } from './rule-set.js';
import { runDelayReader } from './run-delay.js';

/** What a stretch of time was like for requests, ms. */
export interface Stretch {
  /** Longest time between two turns of the event loop, without what the thread waited for a processor. */
  readonly pauseMs: number;
  /** The same by the clock. */
  readonly gapMs: number;
  /** From when a decision was due, one each ms, to its value. */
  readonly decisionMs: number;
  /** Longest stop of the garbage collector, by the clock. */
  readonly collectionMs: number;
}

/** Watches the event loop, each turn of it, and has a decision made each ms. */
export class Watch {
  private readonly waitedMs = runDelayReader();
  private readonly collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) this.worst.collectionMs = Math.max(this.worst.collectionMs, duration);
  });
  private worst = { pauseMs: 0, gapMs: 0, decisionMs: 0, collectionMs: 0 };
  private lastMs = performance.now();
  private lastWaitedMs = this.waitedMs();
  private dueMs = this.lastMs;
  private decisions = 0;
  private watching = true;

  constructor(private readonly limiter: Limiter) {
    this.collections.observe({ entryTypes: ['gc'] });
    this.turn();
  }

  /** What it was like while `run` ran. */
  async during(run: () => Promise<unknown>): Promise<Stretch> {
    await new Promise((resolve) => setImmediate(resolve));
    this.worst = { pauseMs: 0, gapMs: 0, decisionMs: 0, collectionMs: 0 };
    await run();
    // The turn that ended it counts, and stops of the collector are told with a delay.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { ...this.worst };
  }

  close(): void {
    this.watching = false;
    this.collections.disconnect();
  }

  private readonly turn = (): void => {
    const nowMs = performance.now();
    const waitedMs = this.waitedMs();
    const gapMs = nowMs - this.lastMs;
    this.worst.gapMs = Math.max(this.worst.gapMs, gapMs);
    this.worst.pauseMs = Math.max(this.worst.pauseMs, gapMs - (waitedMs - this.lastWaitedMs));
    this.lastMs = nowMs;
    this.lastWaitedMs = waitedMs;
    if (nowMs >= this.dueMs) this.decide();
    if (this.watching) setImmediate(this.turn);
  };

  private decide(): void {
    this.decisions += 7;
    const decision = this.limiter.check(attributesOf(this.decisions));
    if (decision instanceof Promise) throw new Error('a decision that should be local needed a trip');
    const endMs = performance.now();
    this.worst.decisionMs = Math.max(this.worst.decisionMs, endMs - this.dueMs);
    // One that came late makes none of those after it late.
    this.dueMs = Math.max(this.dueMs + 1, endMs);
  }
}
