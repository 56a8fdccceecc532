import { eachInSteps, type Fault, type Rule, type Steps, unavailableChoices, validateRule } from '@sluice/rules';
import { planNamedIn } from '../rules/unknown-plan.js';

/** A plan that a body names in good form. */
export interface NamedPlan {
  /** `/rules/3/plan` */
  readonly pointer: string;
  readonly plan: string;
}

/** A set of rules, or what is wrong with it. */
export interface ReadRuleSet {
  /** Those that are well formed, each id once. */
  readonly rules: readonly Rule[];
  /** Where each of them is in the body. */
  readonly places: readonly number[];
  /** Also of those with faults. */
  readonly plans: readonly NamedPlan[];
  readonly faults: readonly Fault[];
}

/**
 * What would be published, as far as each rule alone can tell (R57), with a pointer into the body for each fault: `/rules/3/limit`. A version is checked for
 * its form and means nothing, so that a list of rules can be sent as it was read, from here, an earlier day or another place.
 */
export function* readRuleSet(bodies: readonly object[]): Steps<ReadRuleSet> {
  const rules: Rule[] = [];
  const places: number[] = [];
  const plans: NamedPlan[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  yield* eachInSteps(bodies, (body, index) => {
    const fault = ({ pointer, detail }: Fault): void => void faults.push({ pointer: `/rules/${index}${pointer}`, detail });
    const plan = planNamedIn(body);
    if (plan !== undefined) plans.push({ pointer: `/rules/${index}/plan`, plan });
    const checked = validateRule('version' in body ? body : { ...body, version: 1 });
    if (!checked.ok) {
      checked.faults.forEach(fault);
      return;
    }
    unavailableChoices(checked.value).forEach(fault);
    const { rule_id } = checked.value;
    if (seen.has(rule_id)) fault({ pointer: '/rule_id', detail: `repeats the id ${rule_id}` });
    else {
      rules.push(checked.value);
      places.push(index);
    }
    seen.add(rule_id);
  });
  return { rules, places, plans, faults };
}
