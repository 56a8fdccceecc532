import type { Rule } from '@sluice/rules';
import type { Precondition } from '../conditional/precondition.js';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { RULES } from '../database/tables.js';
import type { WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import { type RuleWarning, reviewWrite } from './review-write.js';
import { ruleConflict } from './rule-conflict.js';
import { isSameRule, ruleFields, ruleJson } from './rule-json.js';
import type { RuleRow } from './rule.entity.js';
import { rulesBeside } from './rules-beside.js';
import { unknownPlanFaults } from './unknown-plan.js';

/** What a write came to, and what it made odd; an unchanged rule is not reviewed. */
export interface RuleWrite {
  readonly outcome: WriteOutcome<RuleRow>;
  readonly warnings: readonly RuleWarning[];
}

/**
 * Creates or replaces a rule as the precondition allows, once it is reviewed beside the others (R51, R57).
 *
 * @param rule publishable by itself
 * @throws ProblemException 400 for an unknown plan, 409 for a rule that another one matches exactly
 */
export async function putRule(tx: ConfigTransaction, rule: Rule, precondition: Precondition): Promise<RuleWrite> {
  const faults = await unknownPlanFaults(tx.manager, rule);
  if (faults.length > 0) throw invalid(faults);
  let warnings: readonly RuleWarning[] = [];
  const outcome = await RULES.put(tx, rule.rule_id, {
    fields: ruleFields(rule),
    precondition,
    isSame: (row) => isSameRule(ruleJson(row), rule),
    review: async (row) => {
      const review = reviewWrite(rule, row === null ? undefined : ruleJson(row), await rulesBeside(tx.manager, rule));
      if (review.conflict !== undefined) throw ruleConflict(rule.rule_id, review.conflict);
      ({ warnings } = review);
    },
  });
  return { outcome, warnings };
}
