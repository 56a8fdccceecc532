import type { Candidate } from './candidate.js';
import { compileRule } from './compile-rule.js';
import type { CompiledRule } from './compiled-rule.js';
import { EndpointBook } from './endpoint-book.js';
import { templateKey, type EndpointTemplate } from './endpoint-template.js';
import { type Matched, placesTaken } from './places-taken.js';
import { planDefaultMatch, planDefaultRule, ruleMatchBy, type RuleMatch } from './rule-match.js';
import type { Snapshot } from './rule.js';
import { sortInSteps } from './sort-in-steps.js';
import { compareSpecificity, compareText } from './specificity.js';
import { eachInSteps, mapInSteps, type Steps } from './steps.js';

/** All rules that take part, the most specific first, and the distinct templates that their pattern numbers (from 1) name. */
export interface Ranking {
  readonly candidates: readonly Candidate[];
  readonly templates: readonly EndpointTemplate[];
}

interface Part extends Matched {
  /** By what it is ranked: a proposed version by the id that it would have in force. */
  readonly ranked: RuleMatch;
}

export function* rankedCandidates({ rules, plans }: Pick<Snapshot, 'rules' | 'plans'>): Steps<Ranking> {
  const parts: Part[] = [];
  const endpoints = new EndpointBook();
  yield* eachInSteps(rules, (rule) => {
    if (rule.mode !== 'off') parts.push(partOf(ruleMatchBy(endpoints, rule), compileRule(rule)));
  });
  yield* eachInSteps(plans, (plan) => {
    const rule = planDefaultRule(plan);
    if (rule !== undefined) parts.push(partOf(planDefaultMatch(rule), compileRule(rule)));
  });
  const inOrder = yield* sortInSteps(parts, (a, b) => compareSpecificity(a.ranked, b.ranked));
  const lanes = laneNumbers(new Set(yield* mapInSteps(inOrder, ({ rule }) => rule.policy)));
  const places = yield* placesTaken(inOrder);
  const patterns = new Map<string, number>();
  const templates: EndpointTemplate[] = [];
  const candidates = yield* mapInSteps(inOrder, ({ match, rule }, rank): Candidate => {
    const applied = Object.freeze({ rule, quota: rule.quota, overrideId: undefined, rank });
    return {
      match,
      pattern: patternNumber(match, patterns, templates),
      rank,
      lane: lanes.get(rule.policy) ?? 0,
      shadow: rule.mode === 'shadow',
      takesPlaceOf: places.by.get(rule.ruleId) ?? NOBODY,
      isReplaced: places.all.has(rule.ruleId),
      countBy: rule.countBy,
      applied,
      alone: Object.freeze([applied]),
    };
  });
  return { candidates, templates };
}

const NOBODY: ReadonlySet<string> = new Set();

function partOf(match: RuleMatch, rule: CompiledRule): Part {
  return { match, rule, ranked: rule.replaces === undefined ? match : { ...match, ruleId: rule.replaces } };
}

/** By policy: the order of every answer. */
function laneNumbers(policies: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map([...policies].sort(compareText).map((name, number) => [name, number]));
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
