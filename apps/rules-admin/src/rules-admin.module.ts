import { type DynamicModule, Module } from '@nestjs/common';
import type { CounterStore } from '@sluice/limiter';
import type { EventBus, HealthChecks, Logger, Registry } from '@sluice/platform';
import { AccessModule } from './access/access.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AdminTokensModule } from './admin-tokens/admin-tokens.module.js';
import { BulkModule } from './bulk/bulk.module.js';
import type { RulesAdminConfig } from './config.js';
import { DatabaseModule } from './database/database.module.js';
import { ExplainModule } from './explain/explain.module.js';
import { HistoryModule } from './history/history.module.js';
import { KeysModule } from './keys/keys.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { OverridesModule } from './overrides/overrides.module.js';
import { PlansModule } from './plans/plans.module.js';
import { ProposalsModule } from './proposals/proposals.module.js';
import { RulesModule } from './rules/rules.module.js';
import { SeedModule } from './seed/seed.module.js';
import { ShadowModule } from './shadow/shadow.module.js';
import { SnapshotModule } from './snapshot/snapshot.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { CONFIG, COUNTERS, EVENT_BUS, HEALTH, LOGGER, METRICS } from './tokens.js';

/** What the module is given from outside. */
export interface RulesAdminParts {
  readonly config: RulesAdminConfig;
  readonly bus: EventBus;
  /** The counters that nodes share, if they are in this process. */
  readonly counters?: CounterStore | undefined;
  readonly logger: Logger;
  readonly health: HealthChecks;
  readonly metrics: Registry;
}

/** The control plane. */
@Module({ imports: [DatabaseModule, AccessModule, AdminTokensModule, PlansModule, TenantsModule, KeysModule, RulesModule, OverridesModule, SnapshotModule, ExplainModule, OutboxModule, AuditModule, HistoryModule, BulkModule, ProposalsModule, ShadowModule, SeedModule] })
export class RulesAdminModule {
  static with({ config, bus, counters, logger, health, metrics }: RulesAdminParts): DynamicModule {
    const parts: readonly (readonly [symbol, unknown])[] = [
      [CONFIG, config],
      [EVENT_BUS, bus],
      [LOGGER, logger],
      [HEALTH, health],
      [METRICS, metrics],
      ...(counters === undefined ? [] : [[COUNTERS, counters] as const]),
    ];
    const providers = parts.map(([provide, useValue]) => ({ provide, useValue }));
    return { module: RulesAdminModule, global: true, providers, exports: providers };
  }
}
