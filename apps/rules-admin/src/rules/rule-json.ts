import { RULE_DEFAULTS, type Rule } from '@sluice/rules';
import { isDeepStrictEqual } from 'node:util';
import type { RuleRow } from './rule.entity.js';
import type { FieldsOf } from '../database/versioned-row.js';

/** A row as the API and the snapshot have it; absent fields stay absent. */
export function ruleJson({ id, version, plan, endpoint, definition }: Omit<RuleRow, 'changedAtVersion' | 'planRow'>): Rule {
  return { rule_id: id, version, ...(plan === null ? {} : { plan }), ...(endpoint === null ? {} : { endpoint }), ...definition };
}

/** The columns of a validated rule. */
export function ruleFields({ rule_id: _id, version: _version, plan, endpoint, ...definition }: Rule): Omit<FieldsOf<RuleRow>, 'planRow'> {
  return { plan: plan ?? null, endpoint: endpoint ?? null, definition };
}

/** Whether two rules mean the same, versions apart: an absent field and its default do. */
export function isSameRule(a: Rule, b: Rule): boolean {
  const meaning = (rule: Rule): object => ({ ...RULE_DEFAULTS, burst: rule.limit, ...rule, version: 0 });
  return isDeepStrictEqual(meaning(a), meaning(b));
}
