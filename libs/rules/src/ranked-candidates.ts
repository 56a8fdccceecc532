import type { Candidate } from './candidate.js';
import { compileRule } from './compile-rule.js';
import type { CompiledRule } from './compiled-rule.js';
import { templateKey, type EndpointTemplate } from './endpoint-template.js';
import { planDefaultMatch, planDefaultRule, ruleMatch, type RuleMatch } from './rule-match.js';
import type { Snapshot } from './rule.js';
import { sortInSteps } from './sort-in-steps.js';
import { compareSpecificity, compareText } from './specificity.js';
import { eachInSteps, mapInSteps, type Steps } from './steps.js';

/** All rules that take part, the most specific first, and the distinct templates that their pattern numbers (from 1) name. */
export interface Ranking {
  readonly candidates: readonly Candidate[];
  readonly templates: readonly EndpointTemplate[];
}

interface Part {
  readonly match: RuleMatch;
  readonly rule: CompiledRule;
}

export function* rankedCandidates({ rules, plans }: Pick<Snapshot, 'rules' | 'plans'>): Steps<Ranking> {
  const parts: Part[] = [];
  yield* eachInSteps(rules, (rule) => {
    if (rule.mode !== 'off') parts.push({ match: ruleMatch(rule), rule: compileRule(rule) });
  });
  yield* eachInSteps(plans, (plan) => {
    const rule = planDefaultRule(plan);
    if (rule !== undefined) parts.push({ match: planDefaultMatch(rule), rule: compileRule(rule) });
  });
  const ranked = yield* sortInSteps(parts, (a, b) => compareSpecificity(a.match, b.match));
  const lanes = laneNumbers(new Set(yield* mapInSteps(ranked, ({ rule }) => laneName(rule))));
  const patterns = new Map<string, number>();
  const templates: EndpointTemplate[] = [];
  const candidates = yield* mapInSteps(ranked, ({ match, rule }, rank): Candidate => {
    const applied = Object.freeze({ rule, quota: rule.quota, overrideId: undefined });
    const pattern = patternNumber(match, patterns, templates);
    const lane = lanes.get(laneName(rule)) ?? 0;
    return { match, pattern, rank, lane, countBy: rule.countBy, applied, alone: Object.freeze([applied]) };
  });
  return { candidates, templates };
}

/** Enforced before shadow, then by policy: the order of every answer. */
function laneNumbers(names: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map([...names].sort(compareText).map((name, number) => [name, number]));
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
