import { NEVER } from '@sluice/algorithms';
import type { PolicyOutcome } from '../decision.js';
import { storeAway } from '../outcomes.js';
import { SettledOutcome } from '../settled-outcome.js';
import type { PartLimit, SharedDemand } from './demand.js';

/**
 * What came of each limit of a demand, by what came of the demand: its own where it is the only one. Else they are served in the order of the parts: of a
 * refusal those that would fit by themselves are allowed, and nobody is charged.
 */
export function limitOutcomes(demand: SharedDemand, whole: PolicyOutcome): readonly PolicyOutcome[] {
  const { limits } = demand;
  if (limits.length === 1) return [whole];
  if (whole.reason === 'store_unavailable') return limits.map(({ applied }) => storeAway(applied));
  const places = placesOf(demand, whole);
  if (whole.allowed) return places.map((place) => allowedOutcome(place, whole));
  // One that was refused a moment ago may fit by what the node sees now: then it is the strictest that it was refused by.
  const refusing = places.filter(({ fits }) => !fits);
  const last = places.findLast(({ limit }) => limit.applied === demand.applied);
  return places.map((place) => (refusing.length > 0 ? !place.fits : place === last) ? refusedOutcome(place, whole) : allowedOutcome(place, whole));
}

/** A limit among others of the same counter. */
interface Place {
  readonly limit: PartLimit;
  /** What its own limit leaves before the request, and after those before it. */
  readonly left: number;
  readonly leftForIt: number;
  readonly fits: boolean;
  /** What those after it take. */
  readonly after: number;
}

function placesOf({ limits, applied, cost }: SharedDemand, whole: PolicyOutcome): readonly Place[] {
  let before = 0;
  return limits.map((limit) => {
    // Of a wider limit so much more is left.
    const left = whole.remaining + limit.applied.quota.burst - applied.quota.burst;
    const leftForIt = left - before;
    before = Math.min(Number.MAX_SAFE_INTEGER, before + limit.cost);
    const room = whole.reason === 'cost_exceeds_limit' ? limit.applied.quota.burst : left;
    return { limit, left, leftForIt, fits: before <= room, after: cost - before };
  });
}

function allowedOutcome({ limit: { applied, cost }, left, after }: Place, { resetMs, source, delayMs, charge }: PolicyOutcome): PolicyOutcome {
  if (charge === undefined) return new SettledOutcome(applied, left, resetMs, 'ok', source, 0, undefined);
  const { key, quota, bucket } = charge;
  return new SettledOutcome(applied, left + after, resetMs, 'ok', source, delayMs, { key, quota, bucket, amount: cost });
}

function refusedOutcome({ limit: { applied, cost }, left, leftForIt }: Place, { resetMs, source, reason, retryMs }: PolicyOutcome): PolicyOutcome {
  if (reason === 'cost_exceeds_limit') return new SettledOutcome(applied, left, resetMs, reason, source, NEVER, undefined);
  return new SettledOutcome(applied, Math.min(leftForIt, cost - 1), resetMs, reason, source, retryMs, undefined);
}
