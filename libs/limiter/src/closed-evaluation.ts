import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { policyOutcome, type Verdict } from './decision-builder.js';
import type { Evaluation } from './evaluation.js';
import type { Fallback } from './fallback.js';
import type { Leases } from './lease/leases.js';
import type { Landing } from './trip/passenger.js';
import { granted, refused, type Seen, STORE_AWAY, tooCostly } from './verdict.js';
import { withoutStore } from './without-store.js';

export interface ClosedParts {
  readonly leases: Pick<Leases, 'find'>;
  readonly fallback: Fallback;
}

/**
 * What a limiter answers that is closing or closed: as while the store is away (R41), all limits or none (R8). It holds no lease, makes no trip and
 * remembers no key, so that requests that keep coming do not keep it from ending (R44).
 */
export function closedEvaluation(
  { leases, fallback }: ClosedParts,
  applied: readonly AppliedRule[],
  attributes: RequestAttributes,
  cost: number,
  nowMs: number,
): Evaluation {
  const seats = applied.map((one) => {
    const { key, capacity } = leases.find(one, attributes, nowMs);
    return { one, key, never: cost > capacity };
  });
  const never = seats.some((seat) => seat.never);
  const taken = seats.map(({ one: { rule, quota }, key }): Landing | undefined => (never ? { kind: 'spared' } : withoutStore(fallback, { key, quota, rule }, cost)));
  const passes = !never && taken.every((landing) => landing?.kind === 'granted');
  const policies = seats.map((seat, at) => {
    const { one, key } = seat;
    const landing = taken[at];
    if (landing?.kind === 'granted' && !passes) fallback.giveBack(key, one.quota, cost, landing.bucket);
    const { remaining, resetMs } = fallback.peek(key, one.quota, cost);
    const seen: Seen = { remainingHint: () => remaining, resetInMs: () => resetMs };
    return policyOutcome(one, seat.never ? tooCostly(seen, nowMs) : verdictOf(seen, landing, { key, quota: one.quota, amount: cost }, passes, nowMs));
  });
  return { policies, nowMs };
}

function verdictOf(
  seen: Seen,
  landing: Landing | undefined,
  charged: { readonly key: string; readonly quota: AppliedRule['quota']; readonly amount: number },
  passes: boolean,
  nowMs: number,
): Verdict {
  switch (landing?.kind) {
    case 'granted':
      return passes ? granted(seen, 'fallback', { ...charged, bucket: landing.bucket }, landing.delayMs, nowMs) : granted(seen, 'fallback', undefined, 0, nowMs);
    case 'spared':
      return granted(seen, 'fallback', undefined, 0, nowMs);
    case 'refused':
      return refused(seen, 'fallback', charged.amount, landing.retryMs, nowMs);
    default:
      return STORE_AWAY;
  }
}
