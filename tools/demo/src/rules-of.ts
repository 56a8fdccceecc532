import { compileSnapshot, type Rule, type RuleIndex } from '@sluice/rules';

/** A rule set of the given version. */
export function rulesOf(version: number, rules: readonly Omit<Rule, 'version'>[]): RuleIndex {
  return compileSnapshot({ version, plans: [{ plan_id: 'free' }], rules: rules.map((rule) => ({ ...rule, version })), overrides: [] });
}
