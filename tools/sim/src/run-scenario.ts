import { adaptiveLeases, type LeaseSizing } from '@sluice/limiter';
import type { Figures } from './measure/figures.js';
import { measure } from './measure/measure.js';
import { judgeGoals, missedGoals } from './measure/judge-goals.js';
import type { JudgedGoal } from './measure/judged-goal.js';
import type { Random } from './random.js';
import type { Scenario } from './scenarios/scenario.js';
import { type Coverage, coverageOf } from './report/coverage.js';
import { simulate } from './world/simulate.js';

export interface RunOptions {
  readonly seed: number;
  /** Fewer windows, where the scenario names them. */
  readonly short?: boolean;
  /** Default: {@link adaptiveLeases} with the scenario's thrift. */
  readonly sizing?: (random: Random) => LeaseSizing;
}

/** The figures of a scenario, the goals that they are held to, and which they miss. */
export interface Report {
  readonly figures: Figures;
  readonly goals: readonly JudgedGoal[];
  readonly coverage: Coverage;
  readonly missed: readonly string[];
}

/** Runs one scenario in virtual time; the same seed gives the same report. */
export async function runScenario(scenario: Scenario, { seed, short = false, sizing }: RunOptions): Promise<Report> {
  const windows = short ? (scenario.shortWindows ?? scenario.windows) : scenario.windows;
  const durationMs = windows * scenario.quota.window_seconds * 1000;
  const run = await simulate(scenario, {
    seed,
    durationMs,
    sizing: sizing ?? ((random) => adaptiveLeases(random, scenario.thrift)),
  });
  const figures = measure(scenario, seed, durationMs, run);
  const goals = judgeGoals(scenario, figures);
  return { figures, goals, coverage: coverageOf(scenario, goals), missed: missedGoals(goals) };
}
