import { fakeClock } from '@sluice/testkit';
import { createLimiter, memoryStore, type Limiter, type LimiterOptions } from '../../../src/index.js';
import { rulesOf, START_MS, type RuleInput } from '../../support/fixture.js';
import { ReportingLine } from './reporting-line.js';

export interface FleetNode {
  readonly limiter: Limiter;
  readonly line: ReportingLine;
}

/** Nodes on one store, in virtual time that drives their timers. */
export class VirtualFleet {
  readonly clock = fakeClock(START_MS);
  readonly store = memoryStore(this.clock);
  private readonly timers = new Set<{ dueMs: number; readonly periodMs: number; readonly task: () => void }>();

  join(rules: readonly RuleInput[], options: Partial<LimiterOptions> = {}): FleetNode {
    const { clock, timers } = this;
    const line = new ReportingLine(this.store, () => clock.nowMs());
    const every = (periodMs: number, task: () => void): (() => void) => {
      const timer = { dueMs: clock.nowMs() + periodMs, periodMs, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    };
    const ticking = { nowMs: () => clock.nowMs(), every };
    return { limiter: createLimiter({ store: line, rules: rulesOf(rules), clock: ticking, fleetSize: 1, ...options }), line };
  }

  /** Lets time pass, and what it sets off. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    for (const endMs = this.clock.nowMs() + ms; this.clock.nowMs() < endMs; ) {
      this.clock.advance(Math.min(stepMs, endMs - this.clock.nowMs()));
      for (const timer of [...this.timers]) {
        if (timer.dueMs > this.clock.nowMs()) continue;
        timer.dueMs = this.clock.nowMs() + timer.periodMs;
        timer.task();
      }
      await landed();
    }
  }
}

/** What is in the air lands. */
export function landed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
