import type { AppliedRule } from '@sluice/rules';
import { AppliedOutcome } from './applied-outcome.js';
import type { Charge, DecisionReason, DecisionSource } from './decision.js';

/** Any outcome but that of a lease: {@link LeasedOutcome} is that. */
export class SettledOutcome extends AppliedOutcome {
  /** @param waitMs of what is allowed the delay, of what is refused the time until it would pass, or NEVER. */
  constructor(
    applied: AppliedRule,
    remaining: number,
    resetMs: number,
    readonly reason: DecisionReason,
    readonly source: DecisionSource,
    private readonly waitMs: number,
    readonly charge: Charge | undefined,
  ) {
    super(applied, remaining, resetMs);
  }

  get allowed(): boolean {
    return this.reason === 'ok';
  }

  get retryMs(): number {
    return this.allowed ? 0 : this.waitMs;
  }

  get delayMs(): number {
    return this.allowed ? this.waitMs : 0;
  }
}
