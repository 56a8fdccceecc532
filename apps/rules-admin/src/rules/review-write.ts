import { reviewRules, type Rule, type ShadowedRule } from '@sluice/rules';

/** A rule that can never apply, as the answer to a write has it. */
export type RuleWarning = Omit<ShadowedRule, 'pointer'>;

/** What a write of a rule means for the rules beside it (R57). */
export interface WriteReview {
  /** The stored rule that matches exactly the same, in the same policy: with both, which of them applied would be an accident of their ids. */
  readonly conflict: { readonly ruleId: string; readonly detail: string } | undefined;
  /** The rule itself, if it can never apply, and every other one that it hides and did not hide before. */
  readonly warnings: readonly RuleWarning[];
}

/**
 * Reviews a write against the stored rules that it could meet, itself not among them. Pair by pair: a conflict and a shadow are between two rules, and
 * a review of all with all takes most of a second when thousands have `*` descriptors.
 *
 * @param before the rule as it was, undefined for a new one
 */
export function reviewWrite(rule: Rule, before: Rule | undefined, others: readonly Rule[]): WriteReview {
  const hiding: Rule[] = [];
  const hidden: RuleWarning[] = [];
  for (const other of others) {
    const { faults, warnings } = reviewRules([other, rule]);
    const [fault] = faults;
    if (fault !== undefined) return { conflict: { ruleId: other.rule_id, detail: fault.detail }, warnings: [] };
    for (const warning of warnings) {
      if (warning.rule_id === rule.rule_id) hiding.push(other);
      else if (before === undefined || !hides(before, other)) hidden.push(warningOf(warning));
    }
  }
  // All of them together, so that it names the one that applies instead.
  const own = hiding.length === 0 ? [] : reviewRules([...hiding, rule]).warnings.filter(({ rule_id }) => rule_id === rule.rule_id);
  return { conflict: undefined, warnings: [...own.map(warningOf), ...hidden] };
}

function hides(rule: Rule, other: Rule): boolean {
  return reviewRules([other, rule]).warnings.some(({ rule_id }) => rule_id === other.rule_id);
}

function warningOf({ rule_id, shadowed_by, detail }: ShadowedRule): RuleWarning {
  return { rule_id, shadowed_by, detail };
}
