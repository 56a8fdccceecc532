import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { Attempt, type AttemptParts } from './attempt.js';
import { policyOutcome, type Verdict } from './decision-builder.js';
import type { PolicyOutcome } from './decision.js';
import type { Lease } from './lease/lease.js';
import type { Leases } from './lease/leases.js';
import type { Answer } from './store/counter-store.js';
import { StoreFault } from './store/store-fault.js';
import { exceeds, granted, refused, tooCostly } from './verdict.js';

export interface EvaluatorParts extends AttemptParts {
  readonly leases: Leases;
}

/** What came of it, and when by the node's clock: the spans in the outcomes count from then. */
export interface Evaluation {
  readonly policies: readonly PolicyOutcome[];
  readonly nowMs: number;
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
  ): Evaluation | Promise<Evaluation> {
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
    if (refuses) return this.refuse(applied, leases, cost, nowMs);
    if (!asks) return { policies: outcomes(applied, leases, (lease) => spend(lease, cost, nowMs)), nowMs };
    return this.attempt(applied, leases, cost, nowMs);
  }

  /**
   * One limit is known to refuse, so nothing is charged and no lease asks. Limits that are asked every time are read, in one trip: without
   * them the wait could be too short (R70).
   */
  private refuse(applied: readonly AppliedRule[], leases: readonly Lease[], cost: number, nowMs: number): Evaluation | Promise<Evaluation> {
    const never = leases.some(({ quota }) => exceeds(cost, quota));
    const unread = never ? [] : leases.filter(({ strategy }) => !strategy.leases);
    const put = (answers: readonly Answer[]): Evaluation => {
      const read = new Map(unread.map((lease, at) => [lease, answers[at]]));
      const policies = outcomes(applied, leases, (lease) => {
        const answer = read.get(lease);
        return answer === undefined ? knownVerdict(lease, cost, nowMs) : readVerdict(lease, answer, cost, nowMs);
      });
      return { policies, nowMs };
    };
    if (unread.length === 0) return put([]);
    const asks = unread.map(({ key, quota }) => ({ key, quota, need: cost, want: 0, backAmount: 0, backBucket: 0 }));
    const { store, dispatcher } = this.parts;
    const answers = asks.flatMap((ask) => store.takeNow?.(ask) ?? []);
    return answers.length === asks.length ? put(answers) : dispatcher.read(asks).then(put);
  }

  private attempt(
    applied: readonly AppliedRule[],
    leases: readonly Lease[],
    cost: number,
    nowMs: number,
  ): Evaluation | Promise<Evaluation> {
    let settled: Evaluation | undefined;
    let resolve: ((evaluation: Evaluation) => void) | undefined;
    new Attempt(this.parts, leases, cost, (verdicts, settledAtMs) => {
      settled = { policies: outcomes(applied, verdicts, (verdict) => verdict), nowMs: settledAtMs };
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

/** A limit that was only read, since another one refuses; of one whose store is away nothing is known. */
function readVerdict(lease: Lease, answer: Answer, cost: number, nowMs: number): Verdict {
  const allows = answer instanceof StoreFault || answer.remaining >= cost;
  return allows ? granted(lease, 'store', undefined, 0, nowMs) : refused(lease, 'store', cost, Math.max(1, answer.retryMs), nowMs);
}

/** The request is refused without a trip: what each limit says of it from memory. */
function knownVerdict(lease: Lease, cost: number, nowMs: number): Verdict {
  if (exceeds(cost, lease.quota)) return tooCostly(lease, nowMs);
  const waitMs = lease.strategy.leases && lease.standing(cost, nowMs) === 'dry' ? lease.waitMs(cost, nowMs) : 0;
  return waitMs > 0 ? refused(lease, 'local', cost, waitMs, nowMs) : granted(lease, 'local', undefined, 0, nowMs);
}
