import { ANY_ENDPOINT, EndpointBook } from './endpoint-book.js';
import type { EndpointTemplate } from './endpoint-template.js';
import { planDefaultId } from './names.js';
import type { Plan, Rule } from './rule.js';

/** The classes of ARCHITECTURE "policy", weakest first; overrides stand above all of them. */
export const MATCH_CLASS = { domainDefault: 0, planDefault: 1, descriptors: 2, plan: 3, endpoint: 4, planAndEndpoint: 5 } as const;

/** What a rule matches, taken apart once. */
export interface RuleMatch {
  readonly ruleId: string;
  readonly matchClass: number;
  readonly domain: string | undefined;
  readonly plan: string | undefined;
  readonly template: EndpointTemplate | undefined;
  /** As the endpoint of {@link EndpointBook} has them. */
  readonly literals: number;
  readonly shape: string;
  /** Descriptors that must have this value, sorted by name. */
  readonly exact: readonly (readonly [name: string, value: string])[];
  /** Descriptors that must be present, sorted. */
  readonly wild: readonly string[];
}

/** Expects a validated rule: throws a RangeError for a malformed endpoint. */
export function ruleMatch(rule: Rule): RuleMatch {
  return ruleMatchBy(new EndpointBook(), rule);
}

/** As {@link ruleMatch}, with endpoints that the rules of a snapshot share. */
export function ruleMatchBy(endpoints: EndpointBook, rule: Rule): RuleMatch {
  const { template, literals, shape } = rule.endpoint === undefined ? ANY_ENDPOINT : endpoints.read(rule.endpoint);
  const descriptors = rule.descriptors === undefined ? NONE : Object.entries(rule.descriptors).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ruleId: rule.rule_id,
    matchClass: classOf(rule.plan !== undefined, template !== undefined, descriptors.length > 0),
    domain: rule.domain,
    plan: rule.plan,
    template,
    literals,
    shape,
    exact: descriptors.length === 0 ? NONE : descriptors.filter(([, value]) => value !== '*'),
    wild: descriptors.length === 0 ? NONE : descriptors.filter(([, value]) => value === '*').map(([name]) => name),
  };
}

/** One for all: a snapshot keeps thousands of these while the next one is built. */
const NONE: readonly never[] = Object.freeze([]);

/** The rule that a plan's default limit stands for: policy `default`, counted by key, its id `plan:<plan_id>`. */
export function planDefaultRule({ plan_id, version, default_limit }: Plan): Rule | undefined {
  return default_limit && { ...default_limit, rule_id: planDefaultId(plan_id), version: version ?? 1, plan: plan_id };
}

/** As {@link ruleMatch}, for the rule of {@link planDefaultRule}. */
export function planDefaultMatch(rule: Rule): RuleMatch {
  return { ...ruleMatch(rule), matchClass: MATCH_CLASS.planDefault };
}

function classOf(plan: boolean, endpoint: boolean, descriptors: boolean): number {
  if (endpoint) return plan ? MATCH_CLASS.planAndEndpoint : MATCH_CLASS.endpoint;
  if (plan) return MATCH_CLASS.plan;
  return descriptors ? MATCH_CLASS.descriptors : MATCH_CLASS.domainDefault;
}
