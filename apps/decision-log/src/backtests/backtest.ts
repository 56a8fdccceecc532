import type { ReplayReport } from '@sluice/replay';
import type { ShadowedRule, Snapshot } from '@sluice/rules';
import type { DecisionFilter } from '../store/decision-filter.js';

export const BACKTEST_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type BacktestState = (typeof BACKTEST_STATES)[number];

/** What is to be replayed. */
export interface BacktestPlan {
  readonly filter: DecisionFilter;
  /** The set that is tried. */
  readonly snapshot: Snapshot;
  readonly warnings: readonly ShadowedRule[];
  /** Overrides in force whose rule the proposal does not have. */
  readonly overridesLeftOut: number;
  /** Names the request and the rules in force that it is about, so that the same one is not run twice; undefined: no other one is the same. */
  readonly digest: string | undefined;
}

/** How far a run is. */
export interface BacktestProgress {
  /** Of the range, 0 to 1. */
  readonly share: number;
  readonly events: number;
  readonly eventsPerSecond: number;
}

/** One backtest, from its submission until it is forgotten. */
export class Backtest {
  state: BacktestState = 'queued';
  startedMs: number | undefined;
  endedMs: number | undefined;
  /** Why it failed, in a sentence for people. */
  fault: string | undefined;
  progress: BacktestProgress = { share: 0, events: 0, eventsPerSecond: 0 };
  /** What it comes to so far; made when it is asked for. */
  report: () => ReplayReport | undefined = () => undefined;
  private readonly ending = new AbortController();

  constructor(
    readonly id: string,
    readonly actor: string,
    /** Let go when it has ended: a rule set may be large. */
    public plan: BacktestPlan,
    readonly createdMs: number,
  ) {}

  /** Aborted when somebody wants it to end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  get isOver(): boolean {
    return this.endedMs !== undefined;
  }

  cancel(nowMs: number): void {
    if (this.isOver) return;
    this.end('cancelled', nowMs);
    this.ending.abort();
  }

  end(state: 'done' | 'failed' | 'cancelled', nowMs: number, fault?: string): void {
    if (this.isOver) return;
    this.state = state;
    this.endedMs = nowMs;
    this.fault = fault;
    this.plan = { ...this.plan, snapshot: { ...this.plan.snapshot, plans: [], rules: [], overrides: [] } };
  }
}
