import type { Candidate } from './candidate.js';
import { compileRule } from './compile-rule.js';
import type { CompiledRule } from './compiled-rule.js';
import { templateKey, type EndpointTemplate } from './endpoint-template.js';
import { planDefaultMatch, planDefaultRule, ruleMatch, type RuleMatch } from './rule-match.js';
import type { Snapshot } from './rule.js';
import { compareSpecificity, compareText } from './specificity.js';

/** All rules that take part, the most specific first, and the distinct templates that their pattern numbers (from 1) name. */
export function rankedCandidates({ rules, plans }: Pick<Snapshot, 'rules' | 'plans'>): {
  readonly candidates: readonly Candidate[];
  readonly templates: readonly EndpointTemplate[];
} {
  const defaults = plans.flatMap((plan) => planDefaultRule(plan) ?? []);
  const parts = [
    ...rules.filter((rule) => rule.mode !== 'off').map((rule) => ({ match: ruleMatch(rule), rule: compileRule(rule) })),
    ...defaults.map((rule) => ({ match: planDefaultMatch(rule), rule: compileRule(rule) })),
  ].sort((a, b) => compareSpecificity(a.match, b.match));
  const lanes = laneNumbers(parts.map((part) => part.rule));
  const patterns = new Map<string, number>();
  const templates: EndpointTemplate[] = [];
  const candidates = parts.map(({ match, rule }, rank): Candidate => {
    const applied = Object.freeze({ rule, quota: rule.quota, overrideId: undefined });
    const pattern = patternNumber(match, patterns, templates);
    const lane = lanes.get(laneName(rule)) ?? 0;
    return { match, pattern, rank, lane, countBy: rule.countBy, applied, alone: Object.freeze([applied]) };
  });
  return { candidates, templates };
}

/** Enforced before shadow, then by policy: the order of every answer. */
function laneNumbers(rules: readonly CompiledRule[]): ReadonlyMap<string, number> {
  const names = [...new Set(rules.map(laneName))].sort(compareText);
  return new Map(names.map((name, number) => [name, number]));
}

/** Rules compete within one policy, and the shadow ones apart: what is only watched must not displace what is enforced (R58). */
export function laneName(rule: Pick<CompiledRule, 'mode' | 'policy'>): string {
  return `${rule.mode} ${rule.policy}`;
}

function patternNumber({ template }: RuleMatch, patterns: Map<string, number>, templates: EndpointTemplate[]): number {
  if (template === undefined) return 0;
  const key = templateKey(template);
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const number = templates.push(template);
  patterns.set(key, number);
  return number;
}
