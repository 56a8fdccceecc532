import type { Decision, Limiter, LimiterStats } from '@sluice/limiter';
import { DecisionCounts } from './decision-counts.js';

/** A metric in Prometheus's terms, free of any client library: who has one registers it and calls `collect` when scraped. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labelNames: readonly string[];
  /** The values now; a counter's are totals since the start. */
  collect(): readonly MetricSample[];
}

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of a node's limiter (R93). */
export interface DecisionMetrics {
  /** Counts one decision; cheap enough for every request. */
  add(decision: Decision): void;
  readonly families: readonly MetricFamily[];
}

/** What the engine counts itself. */
const ENGINE = [
  ['sluice_limiter_asks_total', 'counter', 'Questions sent to the counter store.', (stats) => stats.asks],
  ['sluice_limiter_trips_total', 'counter', 'Round trips to the counter store.', (stats) => stats.trips],
  ['sluice_limiter_granted_total', 'counter', 'Permits granted to leases.', (stats) => stats.granted],
  ['sluice_limiter_returned_total', 'counter', 'Permits given back unspent.', (stats) => stats.returned],
  ['sluice_limiter_lost_total', 'counter', 'Permits that could not be given back, since the store was away.', (stats) => stats.lost],
  ['sluice_limiter_faults_total', 'counter', 'Questions that the counter store did not answer.', (stats) => stats.faults],
  ['sluice_limiter_side_faults_total', 'counter', 'Settlements, debts, reports, returns and signs of life that the counter store did not answer.', (stats) => stats.sideFaults],
  ['sluice_limiter_overflowed_total', 'counter', "Requests in a rule's overflow counter, since the rule had too many keys (R11).", (stats) => stats.overflowed],
  ['sluice_limiter_reservations_total', 'counter', 'Estimates that were charged, to be settled later (R14).', (stats) => stats.reservations],
  ['sluice_limiter_settlements_total', 'counter', 'Reservations that were settled.', (stats) => stats.settlements],
  ['sluice_limiter_settlements_lost_total', 'counter', 'Settlements of which something was lost on the way to the counter store.', (stats) => stats.settlementsLost],
  ['sluice_limiter_unsettled_total', 'counter', 'Permits by which counters are off for lost settlements.', (stats) => stats.unsettled],
  ['sluice_limiter_forgiven_total', 'counter', 'Permits of debts that were not charged, since the counter was at its ceiling.', (stats) => stats.forgiven],
  ['sluice_limiter_reports_total', 'counter', 'Reports of what was admitted before the counter store knew of it (R29).', (stats) => stats.reports],
  ['sluice_limiter_reported_total', 'counter', 'Permits in those reports.', (stats) => stats.reported],
  ['sluice_limiter_unreported_total', 'counter', 'Permits admitted so that the counter store never heard of, since it was away.', (stats) => stats.unreported],
  ['sluice_limiter_active_keys', 'gauge', 'Keys that the node holds state of.', (stats) => stats.activeKeys],
  ['sluice_fleet_size', 'gauge', 'Nodes that share each limit while the counter store is away: as configured, else as last heard (R41).', (stats) => stats.fleetSize],
  ['sluice_split_counters', 'gauge', 'Counters of the fleet that are split by themselves now, since they are hot (R28).', (stats) => stats.splits],
  ['sluice_store_clock_offset_seconds', 'gauge', "The counter store's clock minus the node's (R6).", (stats) => stats.storeOffsetMs / 1000],
] as const satisfies readonly (readonly [string, MetricFamily['type'], string, (stats: LimiterStats) => number])[];

/** @param maxRules most rules with a label of their own; further ones are `other` */
export function decisionMetrics(limiter: Pick<Limiter, 'stats'>, maxRules = 500): DecisionMetrics {
  const counts = new DecisionCounts(maxRules);
  const decisions: MetricFamily = {
    name: 'sluice_decisions_total',
    help: 'Decisions by deciding rule, outcome and where the permit or refusal came from.',
    type: 'counter',
    labelNames: ['rule', 'outcome', 'source'],
    collect: () => counts.rows().map(({ count, ...labels }) => ({ labels, value: count })),
  };
  const engine = ENGINE.map(([name, type, help, read]): MetricFamily => ({
    name,
    help,
    type,
    labelNames: [],
    collect: () => [{ labels: {}, value: read(limiter.stats()) }],
  }));
  return { add: (decision) => counts.add(decision), families: [decisions, ...engine] };
}
