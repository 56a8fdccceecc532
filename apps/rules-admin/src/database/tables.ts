import { adminTokenJson } from '../admin-tokens/admin-token-json.js';
import { AdminTokenRow } from '../admin-tokens/admin-token.entity.js';
import { keyJson } from '../keys/key-json.js';
import { KeyRow } from '../keys/key.entity.js';
import { overrideJson } from '../overrides/override-json.js';
import { OverrideRow } from '../overrides/override.entity.js';
import { planJson } from '../plans/plan-json.js';
import { PlanRow } from '../plans/plan.entity.js';
import { proposalJson } from '../proposals/proposal-json.js';
import { ProposalRow } from '../proposals/proposal.entity.js';
import { ruleJson } from '../rules/rule-json.js';
import { RuleRow } from '../rules/rule.entity.js';
import { tenantJson } from '../tenants/tenant-json.js';
import { TenantRow } from '../tenants/tenant.entity.js';
import { VersionedTable } from './versioned-table.js';

/** Part of the snapshot. */
export const PLANS = new VersionedTable(PlanRow, 'plan', 'nodes', planJson);

/** Part of the snapshot. */
export const RULES = new VersionedTable(RuleRow, 'rule', 'nodes', ruleJson);

/** In the snapshot as rules in shadow. */
export const PROPOSALS = new VersionedTable(ProposalRow, 'proposal', 'nodes', proposalJson);

/** Not in the snapshot (ADR 0005): a new tenant or key must not make every node fetch and build its rules again. What gateways cached, see the services. */
export const TENANTS = new VersionedTable(TenantRow, 'tenant', 'lists', tenantJson);

/** See {@link TENANTS}. */
export const KEYS = new VersionedTable(KeyRow, 'key', 'lists', keyJson);

/** Part of the snapshot. */
export const OVERRIDES = new VersionedTable(OverrideRow, 'override', 'nodes', overrideJson);

/** Held in memory by each replica (`IssuedTokens`), which looks for changes by itself. */
export const ADMIN_TOKENS = new VersionedTable(AdminTokenRow, 'token', 'lists', adminTokenJson);
