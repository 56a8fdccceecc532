import { unboxed } from '@sluice/algorithms';
import type { AppliedRule } from '@sluice/rules';
import type { Charge, DecisionReason, DecisionSource, PolicyOutcome } from './decision.js';

/**
 * What came of one limit: what the rule says of it is read from the rule. A decision allocates little so (docs/adr/0016-decision-values.md).
 * `JSON.stringify` writes all fields out; a spread does not.
 */
export abstract class AppliedOutcome implements PolicyOutcome {
  readonly remaining: number;
  readonly resetMs: number;

  constructor(
    private readonly applied: AppliedRule,
    remaining: number,
    resetMs: number,
  ) {
    this.remaining = unboxed(Math.max(0, remaining));
    this.resetMs = unboxed(Math.max(0, resetMs));
  }

  abstract readonly allowed: boolean;
  abstract readonly retryMs: number;
  abstract readonly source: DecisionSource;
  abstract readonly reason: DecisionReason;
  abstract readonly charge: Charge | undefined;
  abstract readonly delayMs: number;

  get policy(): string {
    return this.applied.rule.policy;
  }

  get ruleId(): string {
    return this.applied.rule.ruleId;
  }

  get ruleVersion(): number {
    return this.applied.rule.version;
  }

  get limit(): number {
    return this.applied.quota.limit;
  }

  get windowMs(): number {
    return this.applied.quota.windowMs;
  }

  get overrideId(): string | undefined {
    return this.applied.overrideId;
  }

  toJSON(): PolicyOutcome {
    const { policy, ruleId, ruleVersion, allowed, limit, windowMs, remaining, resetMs, retryMs, source, reason, overrideId, charge, delayMs } = this;
    return { policy, ruleId, ruleVersion, allowed, limit, windowMs, remaining, resetMs, retryMs, source, reason, overrideId, charge, delayMs };
  }
}
