import type { Outcome } from '@sluice/algorithms';
import { StoreFault, type Answer, type CounterStore, type Debit } from '../../../src/index.js';
import { Remote } from '../../support/remote.js';

/** The line of one node to the store, on which reports can be held up before they arrive, or lose their answers. */
export class ReportingLine extends Remote {
  /** Those that left the node, arrived or not. */
  readonly reports: Debit[] = [];
  lostReplies = 0;
  /** Tells the node later what it did not hear. */
  late: () => void = () => undefined;
  private waiting: (() => void)[] | undefined;

  constructor(
    private readonly counters: CounterStore,
    nowMs: () => number,
  ) {
    super(counters, nowMs);
  }

  get reported(): number {
    return this.reports.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** From now on reports stay on the way, until {@link arrive}. */
  holdReports(): void {
    this.waiting ??= [];
  }

  /** What was on the way arrives; what follows is not held up. */
  arrive(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const go of waiting) go();
  }

  override async charge(debits: readonly Debit[], late?: (debit: Debit, outcome: Outcome) => void): Promise<readonly Answer[]> {
    const { fault } = this;
    if (fault !== undefined) return debits.map(() => fault);
    this.reports.push(...debits);
    if (this.waiting !== undefined) await new Promise<void>((resolve) => this.waiting?.push(resolve));
    const answers = await this.counters.charge(debits);
    if (this.lostReplies === 0) return answers;
    this.lostReplies -= 1;
    this.late = () => {
      debits.forEach((debit, at) => {
        const answer = answers[at];
        if (answer !== undefined && !(answer instanceof StoreFault)) late?.(debit, answer);
      });
    };
    return debits.map(() => LOST);
  }
}

const LOST = new StoreFault('timeout', 'the answer was lost');
