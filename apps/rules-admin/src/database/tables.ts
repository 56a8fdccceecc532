import { KeyRow } from '../keys/key.entity.js';
import { PlanRow } from '../plans/plan.entity.js';
import { RuleRow } from '../rules/rule.entity.js';
import { TenantRow } from '../tenants/tenant.entity.js';
import { VersionedTable } from './versioned-table.js';

/** Part of the snapshot. */
export const PLANS = new VersionedTable(PlanRow, 'plan', 'nodes');

/** Part of the snapshot. */
export const RULES = new VersionedTable(RuleRow, 'rule', 'nodes');

/** Not in the snapshot (ADR 0005): a new tenant or key must not make every node fetch and build its rules again. What gateways cached, see the services. */
export const TENANTS = new VersionedTable(TenantRow, 'tenant', 'lists');

/** See {@link TENANTS}. */
export const KEYS = new VersionedTable(KeyRow, 'key', 'lists');
