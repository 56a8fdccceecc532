import type { Decision } from '@sluice/limiter';
import type { DecisionMetrics, MetricFamily } from '@sluice/middleware';
import { type Registry, TalliedHistogram } from '@sluice/platform';
import type { RequestAttributes } from '@sluice/rules';
import { Counter, Gauge } from 'prom-client';

/**
 * Takes each decision and the seconds that it took, and what is known of the request, which must not be changed afterwards: for metrics and, unless it only
 * looked (cost 0), for the decision stream. Without attributes it is for metrics alone.
 */
export type ObserveDecision = (decision: Decision, seconds: number, attributes: RequestAttributes | undefined) => void;

/** Registers what the node's parts count, to be read when scraped. */
export function registerFamilies(registry: Registry, families: readonly MetricFamily[]): void {
  for (const { name, help, type, labelNames, collect } of families) {
    const options = { name, help, labelNames: [...labelNames], registers: [registry] };
    if (type === 'counter') {
      new Counter({
        ...options,
        collect() {
          this.reset();
          for (const { labels, value } of collect()) this.inc(labels, value);
        },
      });
    } else {
      new Gauge({
        ...options,
        collect() {
          // A gauge without labels that is reset says 0; one that has no value should say nothing.
          this.remove();
          for (const { labels, value } of collect()) this.set(labels, value);
        },
      });
    }
  }
}

/** Registers decisions and their latency. */
export function observeDecisions(registry: Registry, metrics: DecisionMetrics): (decision: Decision, seconds: number) => void {
  registerFamilies(registry, metrics.families);
  const duration = new TalliedHistogram({
    name: 'sluice_decision_duration_seconds',
    help: 'Time from request attributes to decision, a trip to the store included.',
    buckets: [0.000_01, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
    registers: [registry],
  }).tally();
  return (decision, seconds) => {
    metrics.add(decision);
    duration.observe(seconds);
  };
}
