import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { LogReader } from './log-reader.js';

@Module({ controllers: [AuditController], providers: [LogReader], exports: [LogReader] })
export class AuditModule {}
