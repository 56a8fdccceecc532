import { type Rule, unavailableChoices, validateRule } from '@sluice/rules';
import { invalid } from '../input/invalid.js';

/**
 * The rule in a body, if it may be published as far as it alone can tell (R57): well formed, and without a choice that nodes would not carry out.
 *
 * @throws ProblemException 400 with a pointer to each fault
 */
export function publishableRule(ruleId: string, body: object): Rule {
  // The version is the table's to give; any will do for the check.
  const checked = validateRule({ ...body, rule_id: ruleId, version: 1 });
  if (!checked.ok) throw invalid(checked.faults);
  const unavailable = unavailableChoices(checked.value);
  if (unavailable.length > 0) throw invalid(unavailable);
  return checked.value;
}
