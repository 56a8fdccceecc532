import type { DataSourceOptions } from 'typeorm';
import { AdminTokenRow } from '../admin-tokens/admin-token.entity.js';
import { AuditEntryRow } from '../change-log/audit-entry.entity.js';
import { ConfigChangeRow } from '../change-log/config-change.entity.js';
import { OutboxRow } from '../change-log/outbox.entity.js';
import { IdempotencyRecordRow } from '../idempotency/idempotency-record.entity.js';
import { KeyRow } from '../keys/key.entity.js';
import { OverrideRow } from '../overrides/override.entity.js';
import { PlanRow } from '../plans/plan.entity.js';
import { ProposalRow } from '../proposals/proposal.entity.js';
import { RuleRow } from '../rules/rule.entity.js';
import { ShadowCountRow } from '../shadow/shadow-count.entity.js';
import { ShadowNodeRow } from '../shadow/shadow-node.entity.js';
import { TenantRow } from '../tenants/tenant.entity.js';
import { ConfigVersionRow } from './config-version.entity.js';
import { ChangeLog1796040000000 } from './migrations/1796040000000-change-log.js';
import { ControlPlane1764460800000 } from './migrations/1764460800000-control-plane.js';
import { Overrides1796040100000 } from './migrations/1796040100000-overrides.js';
import { KeyRotation1796040300000 } from './migrations/1796040300000-key-rotation.js';
import { AdminTokens1796040200000 } from './migrations/1796040200000-admin-tokens.js';
import { DatabaseHome1796040500000 } from './migrations/1796040500000-database-home.js';
import { Shadow1796040400000 } from './migrations/1796040400000-shadow.js';
import { TenantTokens1796040600000 } from './migrations/1796040600000-tenant-tokens.js';
import { SelfClosingClient } from './self-closing-client.js';
import { TombstoneRow } from './tombstone.entity.js';

/** Bounds on every statement: a database that hangs costs a request seconds and not for ever. */
const TIMEOUTS = {
  lock_timeout: 3_000,
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  // The server may be the one that hangs; this one is the client's.
  query_timeout: 6_000,
};

/** How TypeORM reaches the control plane's database. The schema is made by migrations alone. `patient` lifts the bounds, for migrations. */
export function databaseOptions(url: string, { patient = false } = {}): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    applicationName: 'sluice-rules-admin',
    entities: [ConfigVersionRow, ConfigChangeRow, AuditEntryRow, OutboxRow, TombstoneRow, PlanRow, TenantRow, KeyRow, RuleRow, OverrideRow, IdempotencyRecordRow, AdminTokenRow, ProposalRow, ShadowCountRow, ShadowNodeRow],
    migrations: [ControlPlane1764460800000, ChangeLog1796040000000, Overrides1796040100000, AdminTokens1796040200000, KeyRotation1796040300000, Shadow1796040400000, DatabaseHome1796040500000, TenantTokens1796040600000],
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'all',
    synchronize: false,
    installExtensions: false,
    logging: false,
    connectTimeoutMS: 3_000,
    poolSize: patient ? 2 : 10,
    extra: { keepAlive: true, Client: SelfClosingClient, ...(patient ? {} : TIMEOUTS) },
  };
}
