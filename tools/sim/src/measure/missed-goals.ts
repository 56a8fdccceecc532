import { quotaOf } from '@sluice/rules';
import type { Scenario } from '../scenarios/scenario.js';
import type { Figures } from './figures.js';
import { mostAllowed } from './most-allowed.js';

/** More than the exact algorithm let pass in a trailing window by that is no chance: both meet the same arrivals, but admit others of them. */
const SAME_MOST = 1.01;

/** Every goal that a run missed, in a line each; none when it met all. */
export function missedGoals(scenario: Scenario, figures: Figures): readonly string[] {
  const { goals } = scenario;
  const { limit } = scenario.quota;
  const quota = quotaOf(scenario.quota);
  const tooMuch = Math.floor((goals.tooMuch ?? 0) * limit);
  const peak = Math.max((goals.rollPeak ?? Infinity) * figures.meanTrips, figures.chanceTrips);
  return [
    ...over('R23 let pass what the exact algorithm refuses', figures.overAdmitted, tooMuch),
    ...over('R23 most admitted in a trailing window', figures.mostInWindow, mostAllowed(quota) + tooMuch),
    ...over('R23 most admitted in a trailing window, beside the exact algorithm', figures.mostInWindow, Math.ceil(figures.exactMostInWindow * SAME_MOST) + 1),
    ...under('R24 admitted of what the exact algorithm admits', figures.admitted / figures.exactAdmitted, goals.ofExact),
    ...over('R24 falsely refused', goals.neverFalselyRefused === true ? figures.falselyRefused : 0, 0),
    ...under('R25 admitted of the demand', figures.admitted / figures.demand, goals.ofDemand),
    ...over('R25 trips a request', figures.tripsPerRequest, goals.tripsPerRequest),
    ...over('R29 requests that waited', figures.waited, goals.waited),
    ...over('R26 most trips in 10 ms after a roll', figures.mostTripsAfterRoll, goals.rollPeak === undefined ? undefined : peak),
    ...over('R27 permits that died with a node', figures.lost, goals.lost === undefined ? undefined : goals.lost * limit),
  ];
}

function over(what: string, value: number, most: number | undefined): readonly string[] {
  return most !== undefined && value > most ? [`${what}: ${plain(value)}, at most ${plain(most)}`] : [];
}

function under(what: string, value: number, least: number | undefined): readonly string[] {
  return least !== undefined && !(value >= least) ? [`${what}: ${plain(value)}, at least ${plain(least)}`] : [];
}

function plain(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}
