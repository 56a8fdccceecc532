import type { Report } from '../run-scenario.js';
import { coverageText } from './coverage.js';

const COLUMNS = ['scenario', 'requests', 'of demand', 'of exact', 'most/exact', 'too much', 'trips/req', 'waited', '10 ms: mean', 'after roll', 'busiest', 'lost', 'goals', 'judged'] as const;
const NAME_WIDTH = 44;

/** What the columns mean, for whoever reads the table for the first time. */
export const LEGEND = `of demand   admitted, of what was asked for, capped by the limit
of exact    admitted, of what the exact algorithm admits on the same arrivals
most/exact  most admitted in any trailing window, beside the exact algorithm's most
too much    requests let pass that the exact algorithm, having seen the same admissions, would have refused (R23)
trips/req   script runs at the store a request, returns included
waited      requests that had to wait for the store
10 ms       script runs in 10 ms: mean; busiest in the 100 ms after a roll, and busiest of all, in means
lost        permits that died with a node
judged      requirements that the scenario is held to; in brackets: to a part or a lower bar; not: left out though it applies (README says why)`;

export function headLine(): string {
  return COLUMNS.map((column, at) => (at === 0 ? column.padEnd(NAME_WIDTH) : column.padStart(column.length + 1))).join(' ');
}

export function tableLine({ figures, missed, coverage }: Report): string {
  const { meanTrips } = figures;
  const cells = [
    String(figures.requests),
    percent(figures.admitted / figures.demand),
    percent(figures.admitted / figures.exactAdmitted),
    (figures.mostInWindow / figures.exactMostInWindow).toFixed(3),
    String(figures.overAdmitted),
    figures.tripsPerRequest.toFixed(3),
    percent(figures.waited),
    meanTrips.toFixed(2),
    `${(figures.mostTripsAfterRoll / meanTrips).toFixed(1)}x`,
    `${(figures.mostTrips / meanTrips).toFixed(1)}x`,
    String(figures.lost),
    missed.length === 0 ? 'met' : 'MISSED',
  ];
  const padded = cells.map((cell, at) => cell.padStart((COLUMNS[at + 1]?.length ?? 0) + 1));
  return [figures.scenario.padEnd(NAME_WIDTH), ...padded, `  ${coverageText(coverage)}`].join(' ');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
