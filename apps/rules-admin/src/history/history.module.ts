import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { KEYS, OVERRIDES, PLANS, RULES, TENANTS } from '../database/tables.js';
import { KeyResource } from '../keys/key.dto.js';
import { OverrideDetail } from '../overrides/override.dto.js';
import { PlanResource } from '../plans/plan.dto.js';
import { RuleResource } from '../rules/rule.dto.js';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { TenantResource } from '../tenants/tenant.dto.js';
import { historyController } from './history-controller.js';
import { HistoryService } from './history.service.js';
import { LogKeeper } from './log-keeper.js';
import { PastSnapshotAnswer } from './past-snapshot-answer.js';
import { PastSnapshots } from './past-snapshots.js';
import { RollbackController } from './rollback.controller.js';
import { RollbackService } from './rollback.service.js';

@Module({
  imports: [AuditModule, SweeperModule],
  controllers: [
    historyController({ list: 'rules', name: 'Rule', idField: 'rule_id', table: RULES, resource: RuleResource }),
    historyController({ list: 'plans', name: 'Plan', idField: 'plan_id', table: PLANS, resource: PlanResource }),
    historyController({ list: 'tenants', name: 'Tenant', idField: 'tenant_id', table: TENANTS, resource: TenantResource }),
    historyController({ list: 'keys', name: 'Key', idField: 'key_id', table: KEYS, resource: KeyResource }),
    historyController({ list: 'overrides', name: 'Override', idField: 'override_id', table: OVERRIDES, resource: OverrideDetail }),
    RollbackController,
  ],
  providers: [HistoryService, PastSnapshots, PastSnapshotAnswer, RollbackService, LogKeeper],
  exports: [HistoryService, PastSnapshotAnswer],
})
export class HistoryModule {}
