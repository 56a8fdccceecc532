import { RULE_DEFAULTS } from '@sluice/rules';
import type { OverrideTarget } from './override-target.js';

/** What is odd about an override, though it is published: each says why it does less, or more, than its author may think. */
export function overrideRemarks(target: OverrideTarget, keyPlan: string): readonly string[] {
  const remarks: string[] = [];
  if (target.mode === 'off') remarks.push('The rule is off, and its overrides rest with it.');
  if (target.plan !== undefined && target.plan !== keyPlan) remarks.push(`The rule is for the plan ${target.plan}, and the key is on ${keyPlan}: the override does nothing until the tenant moves there.`);
  const countBy = target.count_by ?? RULE_DEFAULTS.count_by;
  if (!countBy.includes('key_id')) remarks.push(`The rule counts by ${countBy.join(', ')}, not by key: requests of this key have the limit of the override on counters that other keys may use too.`);
  return remarks;
}
