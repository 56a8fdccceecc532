import type { Decision, DecisionSource } from '@sluice/limiter';

/** What became of a request. What rules in shadow would have done with it may be known only later, and is counted elsewhere. */
export const OUTCOMES = ['allowed', 'denied', 'unavailable'] as const;
export type DecisionOutcome = (typeof OUTCOMES)[number];

const SOURCES = ['local', 'store', 'fallback', 'none'] as const satisfies readonly DecisionSource[];

/** One line of the counts. */
export interface DecisionCount {
  /** Rule that decided; `none` when no rule matched, `other` beyond the bound. */
  readonly rule: string;
  readonly outcome: DecisionOutcome;
  readonly source: DecisionSource;
  readonly count: number;
}

/** Decisions by rule, outcome and source, in memory that is bounded by `maxRules` whatever the rule set does over time (R93). */
export class DecisionCounts {
  private readonly byRule = new Map<string, number[]>();

  constructor(private readonly maxRules = 500) {}

  add(decision: Decision): void {
    const { deciding } = decision;
    const outcome = decision.allowed ? 'allowed' : decision.reason === 'store_unavailable' ? 'unavailable' : 'denied';
    this.count(deciding?.ruleId ?? 'none', outcome, deciding?.source ?? 'none');
  }

  rows(): DecisionCount[] {
    return [...this.byRule].flatMap(([rule, cells]) =>
      OUTCOMES.flatMap((outcome, row) =>
        SOURCES.map((source, column) => ({ rule, outcome, source, count: cells[row * SOURCES.length + column] ?? 0 })),
      ).filter(({ count }) => count > 0),
    );
  }

  private count(rule: string, outcome: DecisionOutcome, source: DecisionSource): void {
    let cells = this.byRule.get(rule);
    if (cells === undefined) {
      const name = this.byRule.size < this.maxRules ? rule : 'other';
      cells = this.byRule.get(name) ?? new Array<number>(OUTCOMES.length * SOURCES.length).fill(0);
      this.byRule.set(name, cells);
    }
    const cell = OUTCOMES.indexOf(outcome) * SOURCES.length + SOURCES.indexOf(source);
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
}
