import type { Decision, Limiter } from '@sluice/limiter';
import type * as promClient from 'prom-client';
import { DecisionCounts } from './decision-counts.js';

/** The parts of prom-client that are used. Handed in, so that who embeds the limiter without Prometheus does not load it. */
export type PromClient = Pick<typeof promClient, 'Counter' | 'Gauge' | 'Histogram'>;

export interface MeasureDecisionsOptions {
  readonly prom: PromClient;
  readonly registry: promClient.Registry;
  readonly limiter: Pick<Limiter, 'stats'>;
  /** Most rules with a label of their own; further ones are `other`. Default 500. */
  readonly maxRules?: number;
}

/** Takes each decision and the seconds that it took. */
export type ObserveDecision = (decision: Decision, seconds: number) => void;

/** What the engine counts, by metric. */
const ENGINE_COUNTERS = {
  asks: 'Questions sent to the counter store.',
  trips: 'Round trips to the counter store.',
  granted: 'Permits granted to leases.',
  returned: 'Permits given back unspent.',
  faults: 'Questions that the counter store did not answer.',
  overflowed: "Requests counted in a rule's overflow counter, since the rule had too many keys.",
} as const;

/** Registers the metrics of a node's limiter (R93): decisions, their latency, and the engine's own counts. */
export function measureDecisions({ prom, registry, limiter, maxRules }: MeasureDecisionsOptions): ObserveDecision {
  const registers = [registry];
  const counts = new DecisionCounts(maxRules);
  new prom.Counter({
    name: 'sluice_decisions_total',
    help: 'Decisions by deciding rule, outcome and where the permit or refusal came from.',
    labelNames: ['rule', 'outcome', 'source'],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of counts.rows()) this.inc(labels, count);
    },
  });
  const duration = new prom.Histogram({
    name: 'sluice_decision_duration_seconds',
    help: 'Time from request attributes to decision, a trip to the store included.',
    buckets: [0.000_01, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
    registers,
  });
  for (const name of ['asks', 'trips', 'granted', 'returned', 'faults', 'overflowed'] as const) {
    new prom.Counter({
      name: `sluice_limiter_${name}_total`,
      help: ENGINE_COUNTERS[name],
      registers,
      collect() {
        this.reset();
        this.inc(limiter.stats()[name]);
      },
    });
  }
  new prom.Gauge({
    name: 'sluice_limiter_active_keys',
    help: 'Keys that the node holds state of.',
    registers,
    collect() {
      this.set(limiter.stats().activeKeys);
    },
  });
  new prom.Gauge({
    name: 'sluice_store_clock_offset_seconds',
    help: "The counter store's clock minus the node's (R6).",
    registers,
    collect() {
      this.set(limiter.stats().storeOffsetMs / 1000);
    },
  });
  return (decision, seconds) => {
    counts.add(decision);
    duration.observe(seconds);
  };
}
