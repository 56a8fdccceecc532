import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { Attempt, type AttemptParts } from './attempt.js';
import { policyOutcome, type Verdict } from './decision-builder.js';
import type { PolicyOutcome } from './decision.js';
import type { Lease } from './lease/lease.js';
import type { Leases } from './lease/leases.js';
import { strategyOf } from './lease/strategy.js';
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
      else if (!strategyOf(lease.rule).leases) asks = true;
      else {
        const standing = lease.standing(cost, nowMs);
        if (standing === 'dry') refuses = true;
        else if (standing === 'ask') asks = true;
      }
    }
    if (refuses) return outcomes(applied, leases.map((lease) => knownVerdict(lease, cost, nowMs)));
    if (!asks) return outcomes(applied, leases.map((lease) => spend(lease, cost, nowMs)));
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
      settled = outcomes(applied, verdicts);
      resolve?.(settled);
    }).start(nowMs);
    return settled ?? new Promise((whenSettled) => (resolve = whenSettled));
  }
}

function outcomes(applied: readonly AppliedRule[], verdicts: readonly Verdict[]): readonly PolicyOutcome[] {
  return applied.flatMap((one, at) => {
    const verdict = verdicts[at];
    return verdict === undefined ? [] : [policyOutcome(one, verdict)];
  });
}

function spend(lease: Lease, cost: number, nowMs: number): Verdict {
  lease.balance -= cost;
  const { key, quota, bucket } = lease;
  return granted(lease, 'local', { key, quota, bucket, amount: cost }, 0, nowMs);
}

/** The request is refused without a trip: what each limit says of it from memory. */
function knownVerdict(lease: Lease, cost: number, nowMs: number): Verdict {
  if (exceeds(cost, lease.quota)) return tooCostly(lease, nowMs);
  const dry = strategyOf(lease.rule).leases && lease.standing(cost, nowMs) === 'dry';
  return dry ? refused(lease, 'local', cost, Math.max(1, lease.dryUntilMs - nowMs), nowMs) : granted(lease, 'local', undefined, 0, nowMs);
}
