import { eachInSteps, type Fault, type Rule, type Steps, unavailableChoices, validateRule } from '@sluice/rules';

/** A set of rules, or what is wrong with it. */
export interface ReadRuleSet {
  readonly rules: readonly Rule[];
  readonly faults: readonly Fault[];
}

/** What would be published, as far as each rule alone can tell (R57), with a pointer into the body for each fault: `/rules/3/limit`. */
export function* readRuleSet(bodies: readonly object[]): Steps<ReadRuleSet> {
  const rules: Rule[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  yield* eachInSteps(bodies, (body, index) => {
    const fault = ({ pointer, detail }: Fault): void => void faults.push({ pointer: `/rules/${index}${pointer}`, detail });
    if ('version' in body) fault({ pointer: '/version', detail: 'must be absent: base_version says which rules are replaced' });
    // The version is the table's to give; any will do for the check.
    const checked = validateRule({ ...body, version: 1 });
    if (!checked.ok) {
      checked.faults.forEach(fault);
      return;
    }
    const { rule_id } = checked.value;
    if (seen.has(rule_id)) fault({ pointer: '/rule_id', detail: `repeats the id ${rule_id}` });
    seen.add(rule_id);
    unavailableChoices(checked.value).forEach(fault);
    rules.push(checked.value);
  });
  return { rules, faults };
}
