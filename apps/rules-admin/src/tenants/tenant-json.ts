import type { TenantRow } from './tenant.entity.js';

/** A row as the API has it. */
export function tenantJson({ id, name, planId, version }: TenantRow): object {
  return { tenant_id: id, name, plan_id: planId, version };
}
