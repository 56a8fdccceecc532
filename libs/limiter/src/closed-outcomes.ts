import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { PolicyOutcome } from './decision.js';
import type { Fallback } from './fallback.js';
import type { Leases } from './lease/leases.js';
import type { Landing } from './trip/passenger.js';
import { granted, refused, type Seen, storeAway, tooCostly } from './outcomes.js';
import { withoutStore } from './without-store.js';

export interface ClosedParts {
  readonly leases: Pick<Leases, 'find'>;
  readonly fallback: Fallback;
}

/** One limit of a request, and what the request is to take from it. */
export interface Demand {
  readonly applied: AppliedRule;
  readonly attributes: RequestAttributes;
  readonly cost: number;
}

/**
 * What a limiter answers that is closing or closed: as while the store is away (R41), all limits or none (R8). It holds no lease, makes no trip and
 * remembers no key, so that requests that keep coming do not keep it from ending (R44).
 * @param barred something else refuses the request: nothing is charged.
 */
export function closedOutcomes({ leases, fallback }: ClosedParts, demands: readonly Demand[], nowMs: number, barred = false): readonly PolicyOutcome[] {
  const seats = demands.map(({ applied: one, attributes, cost }) => {
    const { key, capacity } = leases.find(one, attributes, nowMs);
    return { one, cost, key, never: cost > capacity };
  });
  const never = barred || seats.some((seat) => seat.never);
  const taken = seats.map(({ one: { rule, quota }, cost, key }): Landing | undefined => (never ? { kind: 'spared' } : withoutStore(fallback, { key, quota, rule }, cost)));
  const passes = !never && taken.every((landing) => landing?.kind === 'granted');
  return seats.map((seat, at) => {
    const { one, cost, key } = seat;
    const landing = taken[at];
    if (landing?.kind === 'granted' && !passes) fallback.giveBack(key, one.quota, cost, landing.bucket);
    const { remaining, resetMs } = fallback.peek(key, one.quota, cost);
    const seen: Seen = { remainingHint: () => remaining, resetInMs: () => resetMs };
    return seat.never ? tooCostly(one, seen, nowMs) : outcomeOf(one, seen, landing, { key, quota: one.quota, amount: cost }, passes, nowMs);
  });
}

function outcomeOf(
  one: AppliedRule,
  seen: Seen,
  landing: Landing | undefined,
  charged: { readonly key: string; readonly quota: AppliedRule['quota']; readonly amount: number },
  passes: boolean,
  nowMs: number,
): PolicyOutcome {
  switch (landing?.kind) {
    case 'granted':
      return passes ? granted(one, seen, 'fallback', { ...charged, bucket: landing.bucket }, landing.delayMs, nowMs) : granted(one, seen, 'fallback', undefined, 0, nowMs);
    case 'spared':
      return granted(one, seen, 'fallback', undefined, 0, nowMs);
    case 'refused':
      return refused(one, seen, 'fallback', charged.amount, landing.retryMs, nowMs);
    default:
      return storeAway(one);
  }
}
