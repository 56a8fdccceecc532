import { planDefaultId, quotaOf, replacedRuleId, type Rule, validatePlan, validateRule } from '@sluice/rules';

/** How much may pass, as the algorithms read it. */
export type RuleQuota = ReturnType<typeof quotaOf>;

/** A rule, a plan with its default limit, or a proposed version of a rule, as the control plane has or had it. */
export interface RuleText {
  /** As decisions name it: `plan:<plan_id>` for a plan's default limit, `proposed:<rule_id>` for a proposed version. */
  readonly ruleId: string;
  /** The version of the rule, of the plan, of the proposal. */
  readonly version: number;
  /** As its API shows it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What it matches and how; undefined where this service cannot read it, or a plan has no default limit. */
  readonly rule: Rule | undefined;
  readonly quota: RuleQuota | undefined;
}

/** Reads a resource of the control plane; undefined for what is none. */
export function readRuleText(ruleId: string, json: unknown): RuleText | undefined {
  if (!isObject(json) || typeof json['version'] !== 'number') return undefined;
  const rule = isPlanDefault(ruleId) ? planRule(ruleId, json) : storedRule(ruleId, json);
  return { ruleId, version: json['version'], json, rule, quota: rule === undefined ? undefined : quotaOf(rule) };
}

/** The id of the plan in `plan:<plan_id>`; undefined for other rules. */
export function planOf(ruleId: string): string | undefined {
  return isPlanDefault(ruleId) ? ruleId.slice(planDefaultId('').length) : undefined;
}

function isPlanDefault(ruleId: string): boolean {
  return ruleId.startsWith(planDefaultId(''));
}

function storedRule(ruleId: string, { base_version: _base, ...json }: Readonly<Record<string, unknown>>): Rule | undefined {
  const checked = validateRule({ ...json, rule_id: replacedRuleId(ruleId) ?? ruleId });
  return checked.ok ? { ...checked.value, rule_id: ruleId } : undefined;
}

function planRule(ruleId: string, json: Readonly<Record<string, unknown>>): Rule | undefined {
  const checked = validatePlan(json);
  const limit = checked.ok ? checked.value.default_limit : undefined;
  return limit === undefined ? undefined : { ...limit, rule_id: ruleId, version: Number(json['version']), plan: planOf(ruleId) ?? '' };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
