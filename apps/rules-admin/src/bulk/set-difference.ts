import { eachInSteps, type Rule, type Steps } from '@sluice/rules';
import { isSameRule } from '../rules/rule-json.js';

/** A rule that changes. */
export interface RuleUpdate {
  /** With its version. */
  readonly before: Rule;
  readonly after: Rule;
}

/** What takes the stored rules to the wanted ones. */
export interface SetDifference {
  readonly created: readonly Rule[];
  readonly updated: readonly RuleUpdate[];
  readonly deleted: readonly Rule[];
  /** Rules that mean the same already, and keep their versions. */
  readonly unchanged: number;
}

/** Compares two sets of rules by id. */
export function* setDifference(stored: readonly Rule[], wanted: readonly Rule[]): Steps<SetDifference> {
  const left = new Map(stored.map((rule) => [rule.rule_id, rule]));
  const created: Rule[] = [];
  const updated: RuleUpdate[] = [];
  let unchanged = 0;
  yield* eachInSteps(wanted, (after) => {
    const before = left.get(after.rule_id);
    left.delete(after.rule_id);
    if (before === undefined) created.push(after);
    else if (isSameRule(before, after)) unchanged += 1;
    else updated.push({ before, after });
  });
  return { created, updated, deleted: [...left.values()], unchanged };
}
