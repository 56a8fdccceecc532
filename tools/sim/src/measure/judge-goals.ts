import { quotaOf } from '@sluice/rules';
import type { Scenario } from '../scenarios/scenario.js';
import type { Figures } from './figures.js';
import type { JudgedGoal, Requirement } from './judged-goal.js';
import { mostAllowed } from './most-allowed.js';
import { asRequired } from './requirements.js';

/** More than the exact algorithm let pass in a trailing window by that is no chance: both meet the same arrivals, but admit others of them. */
const SAME_MOST = 1.01;

/** Every goal that a run is held to, with its bar; what its scenario leaves out is not among them. */
export function judgeGoals(scenario: Scenario, figures: Figures): readonly JudgedGoal[] {
  const { goals } = scenario;
  const { limit } = scenario.quota;
  const quota = quotaOf(scenario.quota);
  // An approximate rule promises a bound on what passes too much, not that nothing does.
  const passing = goals.tooMuch !== undefined && scenario.consistency === 'approximate' ? 'R29' : 'R23';
  const tooMuch = Math.floor((goals.tooMuch ?? 0) * limit);
  const peak = goals.rollPeak === undefined ? undefined : Math.max(goals.rollPeak * figures.meanTrips, figures.chanceTrips);
  const falselyRefused = goals.neverFalselyRefused === true ? 0 : undefined;
  const lost = goals.lost === undefined ? undefined : goals.lost * limit;
  const whole = (requirement: Requirement): boolean => asRequired(requirement, scenario, figures);
  const atMost = (requirement: Requirement, what: string, value: number, bar: number | undefined): readonly JudgedGoal[] =>
    bar === undefined ? [] : [{ requirement, what, value, atMost: bar, met: value <= bar, asRequired: whole(requirement) }];
  const atLeast = (requirement: Requirement, what: string, value: number, bar: number | undefined): readonly JudgedGoal[] =>
    bar === undefined ? [] : [{ requirement, what, value, atLeast: bar, met: value >= bar, asRequired: whole(requirement) }];
  return [
    ...atMost(passing, 'let pass what the exact algorithm refuses', figures.overAdmitted, tooMuch),
    ...atMost(passing, 'most admitted in a trailing window', figures.mostInWindow, mostAllowed(quota) + tooMuch),
    ...atMost(passing, 'most admitted in a trailing window, beside the exact algorithm', figures.mostInWindow, Math.ceil(figures.exactMostInWindow * SAME_MOST) + 1),
    ...atLeast('R24', 'admitted of what the exact algorithm admits', figures.admitted / figures.exactAdmitted, goals.ofExact),
    ...atMost('R24', 'falsely refused', figures.falselyRefused, falselyRefused),
    ...atLeast('R25', 'admitted of the demand', figures.admitted / figures.demand, goals.ofDemand),
    ...atMost('R25', 'trips a request', figures.tripsPerRequest, goals.tripsPerRequest),
    ...atMost('R29', 'requests that waited', figures.waited, goals.waited),
    ...atMost('R26', 'most trips in 10 ms after a roll', figures.mostTripsAfterRoll, peak),
    ...atMost('R27', 'permits that died with a node', figures.lost, lost),
  ];
}

/** A line for each goal that was missed; none when all were met. */
export function missedGoals(judged: readonly JudgedGoal[]): readonly string[] {
  return judged
    .filter(({ met }) => !met)
    .map(({ requirement, what, value, atLeast, atMost }) => `${requirement} ${what}: ${plain(value)}, ${atLeast === undefined ? `at most ${plain(atMost ?? 0)}` : `at least ${plain(atLeast)}`}`);
}

function plain(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}
