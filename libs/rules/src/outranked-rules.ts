import { RULE_DEFAULTS } from './rule-defaults.js';
import type { EndpointTemplate } from './endpoint-template.js';
import { planDefaultId } from './names.js';
import { planDefaultMatch, type RuleMatch, ruleMatch } from './rule-match.js';
import type { Rule } from './rule.js';
import { compareSpecificity } from './specificity.js';

/**
 * The enforced rules that an override of `rule` for one key switches off for that key: they are more specific than the rule, and would decide some of its
 * requests in the same policy, where an override stands above all.
 *
 * @param rule an enforced one, or what a plan's default limit stands for
 * @param others rules for the key's plan, or for any
 */
export function outrankedRules(rule: Rule, keyId: string, others: readonly Rule[]): readonly Rule[] {
  const match = matchOf(rule);
  return others.filter((other) => {
    if (other.rule_id === rule.rule_id || policyOf(other) !== policyOf(rule) || (other.mode ?? RULE_DEFAULTS.mode) !== 'enforce') return false;
    const rival = matchOf(other);
    return compareSpecificity(rival, match) < 0 && overlap(rival, match) && rival.exact.every(([name, value]) => name !== 'key_id' || value === keyId);
  });
}

function matchOf(rule: Rule): RuleMatch {
  return rule.plan !== undefined && rule.rule_id === planDefaultId(rule.plan) ? planDefaultMatch(rule) : ruleMatch(rule);
}

function policyOf({ policy = RULE_DEFAULTS.policy }: Rule): string {
  return policy;
}

/** Whether some request meets both, counting apart. */
function overlap(a: RuleMatch, b: RuleMatch): boolean {
  return (
    agree(a.plan, b.plan) &&
    agree(a.domain, b.domain) &&
    a.exact.every(([name, value]) => b.exact.every(([other, expected]) => name !== other || value === expected)) &&
    (a.template === undefined || b.template === undefined || templatesOverlap(a.template, b.template))
  );
}

function templatesOverlap(a: EndpointTemplate, b: EndpointTemplate): boolean {
  const [short, long] = a.segments.length <= b.segments.length ? [a, b] : [b, a];
  return agree(a.method, b.method) && (short.tail || short.segments.length === long.segments.length) && short.segments.every((segment, at) => agree(segment, long.segments[at]));
}

function agree(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}
