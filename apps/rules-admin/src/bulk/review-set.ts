import { type Fault, reviewRulesSteps, RULE_DEFAULTS, type Rule, type Steps } from '@sluice/rules';
import type { RuleWarning } from '../rules/review-write.js';

/** What is wrong or odd between the rules of a set. */
export interface SetReview {
  readonly faults: readonly Fault[];
  readonly warnings: readonly RuleWarning[];
}

/** Pairs of rules that may have to be compared: some seconds. Without design, 20,000 rules need some ten thousand. */
const MOST_COMPARISONS = 10_000_000;

/**
 * Reviews a whole set of well-formed rules (R57), by plan and policy: a rule for another plan never matches the same requests, between one with a plan and one
 * without it the plan decides, and rules of different policies do not compete. The service goes on with other requests in between: the steps are small within a plan and policy too.
 * A set in which nearly each rule would have to be compared with each is a fault.
 */
export function* reviewSet(rules: readonly Rule[], mostComparisons = MOST_COMPARISONS): Steps<SetReview> {
  const faults: Fault[] = [];
  const warnings: RuleWarning[] = [];
  let left = mostComparisons;
  for (const places of placesOfRivals(rules).values()) {
    const group = places.flatMap((place) => rules[place] ?? []);
    const review = yield* reviewRulesSteps(group, [], left);
    left -= review.comparisons;
    for (const { pointer, detail } of review.faults) faults.push({ pointer: placed(pointer, places), detail });
    if (left < 0) return { faults: [...faults, { pointer: '/rules', detail: TOO_ENTANGLED }], warnings: [] };
    for (const { rule_id, shadowed_by, detail } of review.warnings) warnings.push({ rule_id, shadowed_by, detail });
    yield;
  }
  return { faults, warnings };
}

const TOO_ENTANGLED = 'has too many rules with `*` descriptors that could hide each other to be reviewed: give them policies of their own, or fewer `*`';

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
