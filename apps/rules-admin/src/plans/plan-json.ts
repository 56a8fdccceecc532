import type { Plan } from '@sluice/rules';
import type { PlanRow } from './plan.entity.js';

/** A row as the API and the snapshot have it. */
export function planJson({ id, name, version, defaultLimit }: PlanRow): Plan {
  return { plan_id: id, ...(name === null ? {} : { name }), version, ...(defaultLimit === null ? {} : { default_limit: defaultLimit }) };
}
