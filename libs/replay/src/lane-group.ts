import type { RuleLane } from './rule-lane.js';

/** Rules that were asked about the same requests, directly or by way of others: all admit or none is charged, so what is wrong of one may be wrong of all. */
export interface LaneGroup {
  readonly lanes: RuleLane[];
}

/** Makes one group of those of all limits of a request. */
export function join(limits: readonly { readonly lane: RuleLane }[]): void {
  const first = limits[0]?.lane;
  // By number: on the path of every request.
  for (let at = 1; at < limits.length; at += 1) {
    const lane = limits[at]?.lane;
    if (first !== undefined && lane !== undefined && lane.group !== first.group) unite(first.group, lane.group);
  }
}

function unite(one: LaneGroup, other: LaneGroup): void {
  const [large, small] = one.lanes.length < other.lanes.length ? [other, one] : [one, other];
  for (const lane of small.lanes) lane.group = large;
  large.lanes.push(...small.lanes);
}

/**
 * Whether denials that are charged make what it refused unknown, its own or those of a rule that it hangs together with: from a sample nobody can say when the debt of a counter began, and it goes on for as long
 * as requests come. Not where such a rule came nowhere near to refusing.
 */
export function isInDebt({ rule, error, group, askedAfter }: RuleLane): boolean {
  if (rule.mode === 'shadow' && rule.quota.chargeDenied && error.isNear) return true;
  return hasDebt(group) || [...askedAfter].some((lane) => hasDebt(lane.group));
}

function hasDebt({ lanes }: LaneGroup): boolean {
  return lanes.some(({ rule, error }) => rule.mode !== 'shadow' && rule.quota.chargeDenied && error.isNear);
}
