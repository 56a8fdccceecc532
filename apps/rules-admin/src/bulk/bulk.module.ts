import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ApplyRulesService } from './apply-rules.service.js';
import { BulkController } from './bulk.controller.js';

@Module({ imports: [IdempotencyModule], controllers: [BulkController], providers: [ApplyRulesService] })
export class BulkModule {}
