import { Module } from '@nestjs/common';
import { ShadowReportController } from './shadow-report.controller.js';
import { ShadowReportService } from './shadow-report.service.js';

@Module({ controllers: [ShadowReportController], providers: [ShadowReportService] })
export class ShadowReportModule {}
