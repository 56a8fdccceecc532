import { type Fault, reviewRules, RULE_DEFAULTS, type Rule, type Steps } from '@sluice/rules';
import type { RuleWarning } from '../rules/review-write.js';

/** What is wrong or odd between the rules of a set. */
export interface SetReview {
  readonly faults: readonly Fault[];
  readonly warnings: readonly RuleWarning[];
}

/**
 * Reviews a whole set of well-formed rules (R57), by plan and policy: a rule for another plan never matches the same requests, between one with a plan and one
 * without it the plan decides, and rules of different policies do not compete. The service goes on with other requests in between.
 */
export function* reviewSet(rules: readonly Rule[]): Steps<SetReview> {
  const faults: Fault[] = [];
  const warnings: RuleWarning[] = [];
  for (const places of placesOfRivals(rules).values()) {
    const group = places.flatMap((place) => rules[place] ?? []);
    const review = reviewRules(group);
    for (const { pointer, detail } of review.faults) faults.push({ pointer: placed(pointer, places), detail });
    for (const { rule_id, shadowed_by, detail } of review.warnings) warnings.push({ rule_id, shadowed_by, detail });
    yield;
  }
  return { faults, warnings };
}

function placesOfRivals(rules: readonly Rule[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { plan, policy = RULE_DEFAULTS.policy }] of rules.entries()) {
    const rivals = JSON.stringify([plan ?? null, policy]);
    const known = places.get(rivals);
    if (known === undefined) places.set(rivals, [place]);
    else known.push(place);
  }
  return places;
}

/** `/rules/2` of the group, in the set. */
function placed(pointer: string, places: readonly number[]): string {
  return pointer.replace(/^\/rules\/(\d+)/, (_match, index: string) => `/rules/${places[Number(index)] ?? index}`);
}
