import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { Attempt, type AttemptParts } from './attempt.js';
import { policyOutcome, type Verdict } from './decision-builder.js';
import type { PolicyOutcome } from './decision.js';
import type { Lease } from './lease/lease.js';
import type { Leases } from './lease/leases.js';
import { exceeds, granted, refused, tooCostly } from './verdict.js';

export interface EvaluatorParts extends AttemptParts {
  readonly leases: Leases;
}

/**
 * Evaluates the limits of one request, all or none (R8). At once when every permit is at hand or one limit is known to
 * refuse; else by an {@link Attempt}.
 */
export class Evaluator {
  constructor(private readonly parts: EvaluatorParts) {}

  evaluate(
    applied: readonly AppliedRule[],
    attributes: RequestAttributes,
    cost: number,
    nowMs: number,
  ): readonly PolicyOutcome[] | Promise<readonly PolicyOutcome[]> {
    const leases: Lease[] = [];
    let asks = false;
    let refuses = false;
    for (const one of applied) {
      const lease = this.parts.leases.of(one, attributes, cost, nowMs);
      leases.push(lease);
      if (exceeds(cost, lease.quota)) refuses = true;
      else if (!lease.strategy.leases) asks = true;
      else {
        const standing = lease.standing(cost, nowMs);
        if (standing === 'dry') refuses = true;
        else if (standing === 'ask') asks = true;
      }
    }
    if (refuses) return outcomes(applied, leases, (lease) => knownVerdict(lease, cost, nowMs));
    if (!asks) return outcomes(applied, leases, (lease) => spend(lease, cost, nowMs));
    return this.attempt(applied, leases, cost, nowMs);
  }

  private attempt(
    applied: readonly AppliedRule[],
    leases: readonly Lease[],
    cost: number,
    nowMs: number,
  ): readonly PolicyOutcome[] | Promise<readonly PolicyOutcome[]> {
    let settled: readonly PolicyOutcome[] | undefined;
    let resolve: ((outcomes: readonly PolicyOutcome[]) => void) | undefined;
    new Attempt(this.parts, leases, cost, (verdicts) => {
      settled = outcomes(applied, verdicts, (verdict) => verdict);
      resolve?.(settled);
    }).start(nowMs);
    return settled ?? new Promise((whenSettled) => (resolve = whenSettled));
  }
}

/** An outcome for each applied rule, from what is known of it. */
function outcomes<T>(applied: readonly AppliedRule[], known: readonly T[], verdictOf: (one: T) => Verdict): readonly PolicyOutcome[] {
  const result: PolicyOutcome[] = [];
  for (let at = 0; at < applied.length; at += 1) {
    const rule = applied[at];
    const one = known[at];
    if (rule !== undefined && one !== undefined) result.push(policyOutcome(rule, verdictOf(one)));
  }
  return result;
}

function spend(lease: Lease, cost: number, nowMs: number): Verdict {
  lease.balance -= cost;
  const { key, quota, bucket } = lease;
  return granted(lease, 'local', { key, quota, bucket, amount: cost }, 0, nowMs);
}

/** The request is refused without a trip: what each limit says of it from memory. */
function knownVerdict(lease: Lease, cost: number, nowMs: number): Verdict {
  if (exceeds(cost, lease.quota)) return tooCostly(lease, nowMs);
  const waitMs = lease.strategy.leases && lease.standing(cost, nowMs) === 'dry' ? lease.waitMs(cost, nowMs) : 0;
  return waitMs > 0 ? refused(lease, 'local', cost, waitMs, nowMs) : granted(lease, 'local', undefined, 0, nowMs);
}
