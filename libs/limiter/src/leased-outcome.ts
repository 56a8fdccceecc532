import { unboxed } from '@sluice/algorithms';
import type { AppliedRule } from '@sluice/rules';
import { AppliedOutcome } from './applied-outcome.js';
import type { CounterValues } from './counter-name.js';
import type { Charge, DecisionReason, DecisionSource } from './decision.js';
import type { Terms } from './lease/terms.js';
import { LeasedCharge } from './leased-charge.js';

/** Admitted from permits that the node holds, as nearly every request is. */
export class LeasedOutcome extends AppliedOutcome {
  private readonly bucket: number;

  constructor(
    applied: AppliedRule,
    remaining: number,
    resetMs: number,
    private readonly terms: Terms,
    private readonly values: CounterValues,
    bucket: number,
    private readonly amount: number,
  ) {
    super(applied, remaining, resetMs);
    this.bucket = unboxed(bucket);
  }

  get allowed(): boolean {
    return true;
  }

  get reason(): DecisionReason {
    return 'ok';
  }

  get source(): DecisionSource {
    return 'local';
  }

  get retryMs(): number {
    return 0;
  }

  get delayMs(): number {
    return 0;
  }

  get charge(): Charge {
    return new LeasedCharge(this.terms, this.values, this.bucket, this.amount);
  }
}
