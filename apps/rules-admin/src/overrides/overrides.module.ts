import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { OverrideExpiry } from './override-expiry.js';
import { OverridesController } from './overrides.controller.js';
import { OverridesService } from './overrides.service.js';
import { TombstoneLapse } from './tombstone-lapse.js';

@Module({ imports: [PagingModule, IdempotencyModule, SweeperModule], controllers: [OverridesController], providers: [OverridesService, OverrideExpiry, TombstoneLapse] })
export class OverridesModule {}
