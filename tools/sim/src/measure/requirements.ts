import type { Scenario } from '../scenarios/scenario.js';
import type { Figures } from './figures.js';
import type { Requirement } from './judged-goal.js';

/** R25 names overload of 150 % and of 200 times. */
const OVERLOAD = 1.5;
const FLOOD = 200;
const FLOOD_TRIPS = 0.05;
/** Trips a request at most, and of the limit admitted at least: either pair. */
const R25_PAIRS = [
  { trips: 0.07, ofDemand: 0.97 },
  { trips: 0.15, ofDemand: 0.99 },
] as const;
const R24_OF_EXACT = 0.98;
const R26_PEAK = 3;
const R27_LOST = 0.02;

/** Whether a requirement speaks of such a scenario at all. */
export function applies(requirement: Requirement, { quota, load, incident, consistency }: Scenario): boolean {
  if (requirement === 'R24') return load >= 0.9 && load <= 1.05;
  if (requirement === 'R25') return load >= OVERLOAD;
  // Levels that drain have no buckets, so nothing rolls.
  if (requirement === 'R26') return (quota.algorithm ?? 'sliding_counter') === 'sliding_counter' || quota.algorithm === 'fixed_window';
  if (requirement === 'R27') return incident === 'death';
  if (requirement === 'R29') return consistency === 'approximate';
  return true;
}

/** Whether the scenario's bars are those of the requirement, all of them. */
export function asRequired(requirement: Requirement, { goals, load }: Scenario, { meanTrips, chanceTrips }: Figures): boolean {
  const { ofDemand = 0, tripsPerRequest: trips = Infinity } = goals;
  if (requirement === 'R23') return (goals.tooMuch ?? 0) === 0;
  if (requirement === 'R24') return (goals.ofExact ?? 0) >= R24_OF_EXACT;
  if (requirement === 'R25') return (load >= FLOOD && trips <= FLOOD_TRIPS) || R25_PAIRS.some((pair) => trips <= pair.trips && ofDemand >= pair.ofDemand);
  // Where the mean is so low that chance alone does more than three times as much, little is shown.
  if (requirement === 'R26') return (goals.rollPeak ?? Infinity) <= R26_PEAK && chanceTrips <= R26_PEAK * meanTrips;
  if (requirement === 'R27') return (goals.lost ?? Infinity) <= R27_LOST;
  return true;
}
