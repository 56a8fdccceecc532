import { judgeGoals, missedGoals } from '../src/measure/judge-goals.js';
import type { Figures } from '../src/measure/figures.js';
import { coverageLines, coverageOf, coverageText } from '../src/report/coverage.js';
import type { Goals, Scenario } from '../src/scenarios/scenario.js';

const FIGURES: Figures = {
  scenario: 'made up', seed: 1, requests: 15_000, demand: 10_000, admitted: 9800, exactAdmitted: 9900, mostInWindow: 9900, exactMostInWindow: 9900, overAdmitted: 0,
  falselyRefused: 0, tripsPerRequest: 0.1, waited: 0.1, meanTrips: 20, mostTripsAfterRoll: 50, mostTrips: 60, chanceTrips: 45, lost: 0,
};

function scenario(goals: Goals, more: Partial<Scenario> = {}): Scenario {
  return { name: 'made up', quota: { limit: 10_000, window_seconds: 1 }, nodes: 50, load: 1.5, windows: 4, goals, ...more };
}

function said(goals: Goals, more: Partial<Scenario> = {}, figures = FIGURES): string {
  const one = scenario(goals, more);
  return coverageText(coverageOf(one, judgeGoals(one, figures)));
}

describe('R23 to R29 what a scenario says of the requirements', () => {
  it('R25 is judged where both bars are those of the requirement, and else in part or not', () => {
    expect(said({ ofDemand: 0.97, tripsPerRequest: 0.07, rollPeak: 3 })).toBe('R23 R25 R26');
    expect(said({ ofDemand: 0.99, tripsPerRequest: 0.15, rollPeak: 3 })).toBe('R23 R25 R26');
    expect(said({ ofDemand: 0.97, tripsPerRequest: 0.15, rollPeak: 3 })).toBe('R23 (R25) R26');
    expect(said({ ofDemand: 0.97 })).toBe('R23 (R25), not R26');
    expect(said({ ofExact: 0.98 })).toBe('R23 R24, not R25 R26');
  });

  it('R26 says little where chance alone makes more than three means, and nothing where no bucket rolls', () => {
    expect(said({ ofDemand: 0.97, rollPeak: 3 }, {}, { ...FIGURES, meanTrips: 0.2, mostTripsAfterRoll: 2, chanceTrips: 5 })).toBe('R23 (R25) (R26)');
    expect(said({ ofExact: 0.98 }, { load: 1, quota: { limit: 10_000, window_seconds: 1, algorithm: 'gcra' } })).toBe('R23 R24');
  });

  it('R29 names the bound of an approximate rule, which is not that of R23', () => {
    expect(said({ ofExact: 0.98, tooMuch: 0.05 }, { load: 1, consistency: 'approximate' })).toBe('R24 R29, not R23 R26');
  });

  it('counts over all scenarios, and names what is missed with its bar', () => {
    const coverages = [scenario({ ofDemand: 0.97, tripsPerRequest: 0.07 }), scenario({})].map((one) => coverageOf(one, judgeGoals(one, FIGURES)));
    expect(coverageLines(coverages)).toContain('R25: judged in 1, in part or by a lower bar in 0, left out where it applies in 1');
    expect(missedGoals(judgeGoals(scenario({ tripsPerRequest: 0.07 }), FIGURES))).toEqual(['R25 trips a request: 0.1000, at most 0.0700']);
  });
});
