import { isInDebt } from './lane-group.js';
import type { RuleLane } from './rule-lane.js';

/** What the sampling error of some rules comes to, in requests. */
export interface Doubt {
  /** Standard error of the refusals that the sample confirms. */
  readonly below: number;
  /** Of those that there may be. */
  readonly above: number;
  /** Projected refusals with nothing below them. */
  readonly unresolved: number;
  /** Requests that passed, and may have been refused for all that is known; undefined: there are no such rules. */
  readonly unknown: number | undefined;
  /** The most requests that one event stands for; 0: nothing was sampled. */
  readonly weight: number;
}

/** @param weight the most requests that one event stands for; 0: nothing was sampled */
export function doubtOf(lane: RuleLane, weight: number): Doubt {
  const { requests, refused, error } = lane;
  const most = weight * error.costRatio;
  if (weight > 0 && isInDebt(lane)) return { below: 0, above: error.wholeDeviation, unresolved: refused, unknown: requests - refused, weight: most };
  return { below: error.deviation, above: error.deviation, unresolved: error.unresolved, unknown: undefined, weight: most };
}

/** Of several rules, whose errors need not be independent. */
export function together(doubts: readonly Doubt[], weight: number): Doubt {
  const unknown = doubts.flatMap((doubt) => doubt.unknown ?? []);
  return {
    below: added(doubts.map(({ below }) => below)),
    above: added(doubts.map(({ above }) => above)),
    unresolved: added(doubts.map(({ unresolved }) => unresolved)),
    unknown: unknown.length === 0 ? undefined : added(unknown),
    weight: doubts.reduce((most, { weight: one }) => Math.max(most, one), weight),
  };
}

function added(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
