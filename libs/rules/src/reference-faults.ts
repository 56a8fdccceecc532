import type { Fault } from './fault.js';
import type { FaultList } from './fault-list.js';
import { planDefaultId, proposedId } from './names.js';
import { drainsInTime, hasBurst } from './read-quota.js';
import { RULE_DEFAULTS } from './rule-defaults.js';
import type { Override, QuotaJson, Snapshot } from './rule.js';
import { eachInSteps, type Steps } from './steps.js';

/** Notes what is wrong between the parts of a snapshot whose parts are well formed: duplicate ids, unknown plans and rules. */
export function* noteReferenceFaults({ plans, rules, overrides }: Snapshot, faults: FaultList): Steps<void> {
  yield* noteRepeated(faults, '/plans', 'plan_id', plans, ({ plan_id }) => plan_id);
  yield* noteRepeated(faults, '/rules', 'rule_id', rules, ({ rule_id }) => rule_id);
  yield* noteRepeated(faults, '/overrides', 'override_id', overrides, ({ override_id }) => override_id);
  const planIds = new Set<string>();
  const quotas = new Map<string, QuotaJson>();
  yield* eachInSteps(plans, ({ plan_id, default_limit }) => {
    planIds.add(plan_id);
    if (default_limit !== undefined) quotas.set(planDefaultId(plan_id), default_limit);
  });
  yield* eachInSteps(rules, (rule, index) => {
    quotas.set(rule.rule_id, rule);
    const { plan } = rule;
    if (plan !== undefined && !planIds.has(plan)) faults.push({ pointer: `/rules/${index}/plan`, detail: `names the unknown plan ${plan}` });
  });
  yield* eachInSteps(overrides, (override, index) => {
    const { rule_id, burst } = override;
    // Only a burst can be wrong there, and to look it up takes a new text for each of thousands.
    const proposed = burst === undefined ? undefined : quotas.get(proposedId(rule_id));
    const fault = overrideFault(override, quotas.get(rule_id), `/overrides/${index}`, proposed);
    if (fault !== undefined) faults.push(fault);
  });
}

/**
 * What is wrong between an override that is well formed and the quota of its rule, or that of the rule's proposed version, which it is of too (R58): nodes would
 * count by it in shadow.
 *
 * @param quota undefined when the rule is not there
 * @param proposed undefined when nothing is proposed
 */
export function overrideFault(override: Pick<Override, 'rule_id' | 'limit' | 'burst'>, quota: QuotaJson | undefined, pointer: string, proposed?: QuotaJson): Fault | undefined {
  if (quota === undefined) return { pointer: `${pointer}/rule_id`, detail: `names the unknown rule ${override.rule_id}` };
  const detail = burstFault(override, quota, 'the rule') ?? (proposed && burstFault(override, proposed, 'the proposed version of the rule'));
  return detail === undefined ? undefined : { pointer: `${pointer}/burst`, detail };
}

function burstFault({ limit, burst }: Pick<Override, 'limit' | 'burst'>, quota: QuotaJson, of: string): string | undefined {
  if (burst === undefined) return undefined;
  if (!hasBurst(quota.algorithm ?? RULE_DEFAULTS.algorithm)) return `must be absent, since the algorithm of ${of} has no burst`;
  return drainsInTime(burst, limit, Math.round(quota.window_seconds * 1000)) ? undefined : `must drain within 366 days at this limit and the window of ${of} (burst x window / limit)`;
}

function noteRepeated<T>(faults: FaultList, list: string, field: string, items: readonly T[], idOf: (item: T) => string): Steps<void> {
  const seen = new Set<string>();
  return eachInSteps(items, (item, index) => {
    const id = idOf(item);
    if (seen.has(id)) faults.push({ pointer: `${list}/${index}/${field}`, detail: `repeats the id ${id}` });
    seen.add(id);
  });
}
