import type { FieldFault } from '@sluice/platform';
import type { EntityManager } from 'typeorm';
import { PLANS } from '../database/tables.js';
import { ID_PATTERN } from '../input/is-id.js';

const ID = new RegExp(ID_PATTERN);

/** The fault of a plan that is not there. */
export function unknownPlan(plan: string, pointer = '/plan'): FieldFault {
  return { pointer, detail: `names the unknown plan ${plan}` };
}

/** The plan that a body names in good form, whatever else is wrong with it. */
export function planNamedIn(body: object): string | undefined {
  return 'plan' in body && typeof body.plan === 'string' && ID.test(body.plan) ? body.plan : undefined;
}

/** What is wrong with the plan that a body names in good form. */
export async function unknownPlanFaults(manager: EntityManager, body: object): Promise<readonly FieldFault[]> {
  const plan = planNamedIn(body);
  return plan === undefined || (await PLANS.find(manager, plan)) !== null ? [] : [unknownPlan(plan)];
}
