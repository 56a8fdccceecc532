import type { Rule } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { PLANS, RULES } from '../database/tables.js';
import { ruleJson } from '../rules/rule-json.js';

/** What an override is of: a rule, or the default limit of a plan, which is a rule that has a plan, counts by key and is always in force. */
export type OverrideTarget = Rule;

/** The rule that an id names, or by `plan:free` the plan's default limit; undefined where there is none. */
export async function findTarget(manager: EntityManager, ruleId: string): Promise<OverrideTarget | undefined> {
  const planId = /^plan:(.*)$/.exec(ruleId)?.[1];
  if (planId === undefined) {
    const rule = await RULES.find(manager, ruleId);
    return rule === null ? undefined : ruleJson(rule);
  }
  const limit = (await PLANS.find(manager, planId))?.defaultLimit ?? undefined;
  return limit && { ...limit, rule_id: ruleId, version: 1, plan: planId };
}
