import { fakeClock } from '@sluice/testkit';
import { createLimiter, memoryStore, type HotKeys, type Limiter, type LimiterStats } from '../../../src/index.js';
import { rulesOf, START_MS, type RuleInput } from '../../support/fixture.js';
import { Line } from './line.js';

/** Each step of time, ms: that of the timer which looks for moves that are due. */
const STEP_MS = 50;

/** What one node did in one step. */
export interface Step {
  readonly atMs: number;
  allowed: number;
  refused: number;
}

/** Nodes on one store whose time is the test's, with an even load on one key. */
export function hotFleet(rule: RuleInput, size: number, hotKeys: HotKeys | false = {}) {
  const clock = fakeClock(START_MS);
  const store = memoryStore(clock);
  const timers = new Set<{ dueMs: number; periodMs: number; task: () => void }>();
  const ticking = {
    nowMs: () => clock.nowMs(),
    every(periodMs: number, task: () => void) {
      const timer = { dueMs: clock.nowMs() + periodMs, periodMs, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const lines = Array.from({ length: size }, () => new Line(store));
  const limiters: Limiter[] = lines.map((line, at) => createLimiter({ store: line, rules: rulesOf([rule]), clock: ticking, nodeId: `node-${at}`, hotKeys }));
  const steps: Step[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** Lets time pass; `perStep` requests come in each step, to the nodes in turn. */
  const pass = async (ms: number, perStep = 0, nodes: readonly Limiter[] = limiters): Promise<void> => {
    for (const endMs = clock.nowMs() + ms; clock.nowMs() < endMs; ) {
      clock.advance(STEP_MS);
      for (const timer of [...timers]) {
        if (timer.dueMs > clock.nowMs()) continue;
        timer.dueMs += timer.periodMs;
        timer.task();
      }
      await settle();
      const step: Step = { atMs: clock.nowMs(), allowed: 0, refused: 0 };
      const decisions = await Promise.all(Array.from({ length: perStep }, (_, at) => nodes[at % nodes.length]!.check({ key_id: 'hot' })));
      for (const decision of decisions) if (decision.allowed) step.allowed += 1;
      step.refused = perStep - step.allowed;
      steps.push(step);
    }
  };
  const stats = (): LimiterStats[] => limiters.map((limiter) => limiter.stats());
  const asked = (): string[] => lines.flatMap((line) => line.asks.splice(0).map(({ key }) => key));
  return { clock, store, lines, limiters, steps, pass, stats, asked, close: () => Promise.all(limiters.map((limiter) => limiter.close())) };
}

/** The most admitted in any span of that length. */
export function mostAdmitted(steps: readonly Step[], spanMs: number): number {
  let most = 0;
  for (let first = 0; first < steps.length; first += 1) {
    let sum = 0;
    for (let at = first; at < steps.length && (steps[at]?.atMs ?? 0) < (steps[first]?.atMs ?? 0) + spanMs; at += 1) sum += steps[at]?.allowed ?? 0;
    most = Math.max(most, sum);
  }
  return most;
}
