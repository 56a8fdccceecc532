import { Module } from '@nestjs/common';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { ShadowController } from './shadow.controller.js';
import { ShadowCountsService } from './shadow-counts.service.js';
import { ShadowReportService } from './shadow-report.service.js';

@Module({ imports: [SweeperModule], controllers: [ShadowController], providers: [ShadowCountsService, ShadowReportService] })
export class ShadowModule {}
