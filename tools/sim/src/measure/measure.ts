import { quotaOf } from '@sluice/rules';
import type { Scenario } from '../scenarios/scenario.js';
import type { RequestRecord } from '../world/request-record.js';
import type { Run } from '../world/simulate.js';
import { busiest } from './busiest.js';
import { chancePeak } from './chance-peak.js';
import { exactAdmissions } from './exact-admissions.js';
import type { Figures } from './figures.js';
import { mostInWindow } from './most-in-window.js';
import { replay } from './replay.js';

const WARM_UP_WINDOWS = 2;

/** The figures of a run that lasted `durationMs`. */
export function measure(scenario: Scenario, seed: number, durationMs: number, { requests, log, storeClock, lost }: Run): Figures {
  const quota = quotaOf(scenario.quota);
  const bucketMs = quota.windowMs / quota.subBuckets;
  const storeMs = (virtualMs: number): number => storeClock.at(virtualMs);
  const fromMs = WARM_UP_WINDOWS * quota.windowMs;
  const counts = (atMs: number): boolean => atMs >= fromMs && atMs < durationMs;
  const exact = exactAdmissions(requests, quota, storeMs);
  const allowed = requests.filter((request) => request.allowed);
  const counted = requests.filter(({ arrivedAtMs }) => counts(arrivedAtMs));
  const asked = counted.length;
  const trips = log.runs.filter(counts).length;
  const peaks = busiest(log.runs, fromMs, durationMs, bucketMs, (virtualMs) => storeMs(virtualMs) % bucketMs);
  const keys = scenario.keys ?? 1;
  return {
    scenario: scenario.name,
    seed,
    requests: asked,
    demand: Math.min(asked, (keys * quota.limit * (durationMs - fromMs)) / quota.windowMs),
    admitted: allowed.filter(({ decidedAtMs }) => counts(decidedAtMs)).length,
    exactAdmitted: exact.filter(({ arrivedAtMs }) => counts(arrivedAtMs)).length,
    mostInWindow: worstKey(allowed, keys, quota.windowMs, ({ decidedAtMs }) => decidedAtMs),
    exactMostInWindow: worstKey(exact, keys, quota.windowMs, ({ arrivedAtMs }) => arrivedAtMs),
    ...replay(requests, quota, storeMs),
    tripsPerRequest: trips / asked,
    waited: counted.filter(({ local }) => !local).length / asked,
    meanTrips: peaks.mean,
    mostTripsAfterRoll: peaks.afterRoll,
    mostTrips: peaks.ever,
    chanceTrips: chancePeak(peaks.mean, peaks.momentsAfterRolls),
    lost,
  };
}

function worstKey(passed: readonly RequestRecord[], keys: number, windowMs: number, moment: (request: RequestRecord) => number): number {
  const moments = Array.from({ length: keys }, (): number[] => []);
  for (const request of passed) moments[request.key]?.push(moment(request));
  return Math.max(...moments.map((ofKey) => mostInWindow(ofKey.sort((a, b) => a - b), windowMs)));
}
