import { parseEndpoint, type EndpointTemplate } from './endpoint-template.js';
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
  /** Literal segments of the template. */
  readonly literals: number;
  /** The template's segments, one letter each: text order is the order of narrowness, tail < end < param < literal. Empty without a template. */
  readonly shape: string;
  /** Descriptors that must have this value, sorted by name. */
  readonly exact: readonly (readonly [name: string, value: string])[];
  /** Descriptors that must be present, sorted. */
  readonly wild: readonly string[];
}

/** Expects a validated rule: throws a RangeError for a malformed endpoint. */
export function ruleMatch(rule: Rule): RuleMatch {
  const descriptors = Object.entries(rule.descriptors ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const template = templateOf(rule);
  return {
    ruleId: rule.rule_id,
    matchClass: classOf(rule.plan !== undefined, template !== undefined, descriptors.length > 0),
    domain: rule.domain,
    plan: rule.plan,
    template,
    literals: template?.segments.filter((segment) => segment !== undefined).length ?? 0,
    shape: template === undefined ? '' : shapeOf(template),
    exact: descriptors.filter(([, value]) => value !== '*'),
    wild: descriptors.filter(([, value]) => value === '*').map(([name]) => name),
  };
}

/** The rule that a plan's default limit stands for: policy `default`, counted by key, its id `plan:<plan_id>`. */
export function planDefaultRule({ plan_id, version, default_limit }: Plan): Rule | undefined {
  return default_limit && { ...default_limit, rule_id: planDefaultId(plan_id), version: version ?? 1, plan: plan_id };
}

/** As {@link ruleMatch}, for the rule of {@link planDefaultRule}. */
export function planDefaultMatch(rule: Rule): RuleMatch {
  return { ...ruleMatch(rule), matchClass: MATCH_CLASS.planDefault };
}

function templateOf({ rule_id, endpoint }: Rule): EndpointTemplate | undefined {
  if (endpoint === undefined) return undefined;
  const parsed = parseEndpoint(endpoint);
  if (parsed.kind === 'malformed') throw new RangeError(`rule ${rule_id}: endpoint ${parsed.detail}`);
  return parsed.kind === 'template' ? parsed.template : undefined;
}

function shapeOf({ segments, tail }: EndpointTemplate): string {
  return segments.map((segment) => (segment === undefined ? 'p' : 's')).join('') + (tail ? 'a' : 'e');
}

function classOf(plan: boolean, endpoint: boolean, descriptors: boolean): number {
  if (endpoint) return plan ? MATCH_CLASS.planAndEndpoint : MATCH_CLASS.endpoint;
  if (plan) return MATCH_CLASS.plan;
  return descriptors ? MATCH_CLASS.descriptors : MATCH_CLASS.domainDefault;
}
