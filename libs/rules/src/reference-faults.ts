import { pointerTo, type Fault } from './fault.js';
import { planDefaultId } from './names.js';
import { DRAIN_DETAIL, drainsInTime, hasBurst } from './read-quota.js';
import { RULE_DEFAULTS } from './rule-defaults.js';
import type { Override, QuotaJson, Snapshot } from './rule.js';

/** What is wrong between the parts of a snapshot whose parts are well formed: duplicate ids, unknown plans and rules. */
export function referenceFaults({ plans, rules, overrides }: Snapshot): readonly Fault[] {
  const faults: Fault[] = [
    ...duplicates('/plans', 'plan_id', plans.map((plan) => plan.plan_id)),
    ...duplicates('/rules', 'rule_id', rules.map((rule) => rule.rule_id)),
    ...duplicates('/overrides', 'override_id', overrides.map((override) => override.override_id)),
  ];
  const planIds = new Set(plans.map((plan) => plan.plan_id));
  rules.forEach(({ plan }, index) => {
    if (plan !== undefined && !planIds.has(plan)) faults.push({ pointer: `/rules/${String(index)}/plan`, detail: `names the unknown plan ${plan}` });
  });
  const quotas = new Map<string, QuotaJson>(rules.map((rule) => [rule.rule_id, rule]));
  for (const { plan_id, default_limit } of plans) {
    if (default_limit !== undefined) quotas.set(planDefaultId(plan_id), default_limit);
  }
  overrides.forEach((override, index) => {
    faults.push(...overrideFaults(override, quotas.get(override.rule_id), pointerTo('/overrides', index)));
  });
  return faults;
}

function overrideFaults({ rule_id, limit, burst }: Override, quota: QuotaJson | undefined, pointer: string): Fault[] {
  if (quota === undefined) return [{ pointer: `${pointer}/rule_id`, detail: `names the unknown rule ${rule_id}` }];
  if (burst === undefined) return [];
  if (!hasBurst(quota.algorithm ?? RULE_DEFAULTS.algorithm)) {
    return [{ pointer: `${pointer}/burst`, detail: 'must be absent, since the algorithm of the rule has no burst' }];
  }
  return drainsInTime(burst, limit, Math.round(quota.window_seconds * 1000)) ? [] : [{ pointer: `${pointer}/burst`, detail: DRAIN_DETAIL }];
}

function duplicates(list: string, field: string, ids: readonly string[]): Fault[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ pointer: `${list}/${String(index)}/${field}`, detail: `repeats the id ${id}` }];
  });
}
