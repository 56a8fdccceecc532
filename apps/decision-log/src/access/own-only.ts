import { forbidden } from '../problems/forbidden.js';
import type { DecisionFilter } from '../store/decision-filter.js';
import type { Caller } from './caller.js';

/**
 * What of a filter its caller may see: a tenant's token its tenant's events alone, all others the whole.
 *
 * @throws ProblemException 403 where a tenant asks for another one's
 */
export function ownOnly(caller: Caller, filter: DecisionFilter): DecisionFilter {
  if (caller.role !== 'tenant') return filter;
  const { tenantId } = caller;
  if (tenantId === undefined) throw new Error('A token of a tenant has none.');
  const asked = filter.attributes?.tenant_id;
  if (asked !== undefined && asked !== tenantId) throw forbidden('A token of a tenant sees the decisions about its own keys only. Leave tenant_id out.');
  return { ...filter, attributes: { ...filter.attributes, tenant_id: tenantId } };
}
