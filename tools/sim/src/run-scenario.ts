import { adaptiveLeases, type LeaseSizing } from '@sluice/limiter';
import type { Figures } from './measure/figures.js';
import { measure } from './measure/measure.js';
import { missedGoals } from './measure/missed-goals.js';
import type { Random } from './random.js';
import type { Scenario } from './scenarios/scenario.js';
import { simulate } from './world/simulate.js';

export interface RunOptions {
  readonly seed: number;
  /** Fewer windows, where the scenario names them. */
  readonly short?: boolean;
  /** Default: {@link adaptiveLeases} with the scenario's thrift. */
  readonly sizing?: (random: Random) => LeaseSizing;
}

/** The figures of a scenario, and which goals they miss. */
export interface Report {
  readonly figures: Figures;
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
  return { figures, missed: missedGoals(scenario, figures) };
}
