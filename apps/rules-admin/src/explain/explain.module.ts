import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { ExplainController } from './explain.controller.js';
import { ExplainService } from './explain.service.js';
import { ExplainedRules } from './explained-rules.js';
import { LiveCounters } from './live-counters.js';

@Module({ imports: [KeysModule, SnapshotModule], controllers: [ExplainController], providers: [ExplainService, ExplainedRules, LiveCounters] })
export class ExplainModule {}
