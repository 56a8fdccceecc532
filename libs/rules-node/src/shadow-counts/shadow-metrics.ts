import type { ShadowVerdict } from '@sluice/limiter';
import type { MetricFamily } from '@sluice/middleware';
import type { ShadowReporter } from './shadow-reporter.js';

/** Further rules are `other` (R93). */
const MOST_RULES = 200;

/** Counts what rules in shadow would have said, for metrics. */
export class ShadowMetrics {
  private readonly byRule = new Map<string, Record<ShadowVerdict, number>>();

  constructor(private readonly reporter: Pick<ShadowReporter, 'dropped' | 'ignored'>) {}

  add(ruleId: string, verdict: ShadowVerdict): void {
    let counts = this.byRule.get(ruleId);
    if (counts === undefined) {
      const name = this.byRule.size < MOST_RULES ? ruleId : 'other';
      counts = this.byRule.get(name) ?? { allowed: 0, denied: 0, unknown: 0 };
      this.byRule.set(name, counts);
    }
    counts[verdict] += 1;
  }

  get families(): readonly MetricFamily[] {
    return [
      {
        name: 'sluice_shadow_outcomes_total',
        help: 'What rules in shadow would have said of requests, also where that was known only after the answer (R58).',
        type: 'counter',
        labelNames: ['rule', 'outcome'],
        collect: () => [...this.byRule].flatMap(([rule, counts]) => Object.entries(counts).map(([outcome, value]) => ({ labels: { rule, outcome }, value }))),
      },
      {
        name: 'sluice_shadow_counts_lost_total',
        help: 'Requests of which the control plane will not hear what rules in shadow would have said: it took no counts for ten minutes.',
        type: 'counter',
        labelNames: [],
        collect: () => [{ labels: {}, value: this.reporter.dropped }],
      },
      {
        name: 'sluice_shadow_counts_ignored_total',
        help: 'Lines of counts that the control plane ignored, since their rules are deleted, or by its clock their minutes are long over or lie ahead.',
        type: 'counter',
        labelNames: [],
        collect: () => [{ labels: {}, value: this.reporter.ignored }],
      },
    ];
  }
}
