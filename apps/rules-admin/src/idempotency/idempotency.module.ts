import { Module } from '@nestjs/common';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { IdempotentWriter } from './idempotent-writer.js';
import { RecordPurge } from './record-purge.js';

@Module({ imports: [SweeperModule], providers: [IdempotentWriter, RecordPurge], exports: [IdempotentWriter] })
export class IdempotencyModule {}
