import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { HeldSnapshotRoute } from './held-snapshot-route.js';
import { SnapshotController } from './snapshot.controller.js';
import { SnapshotMetrics } from './snapshot-metrics.js';
import { SnapshotPool } from './snapshot-pool.js';
import { SnapshotReader } from './snapshot-reader.js';
import { SnapshotService } from './snapshot.service.js';

@Module({ imports: [HistoryModule], controllers: [SnapshotController], providers: [SnapshotService, SnapshotReader, SnapshotPool, SnapshotMetrics, HeldSnapshotRoute], exports: [SnapshotService] })
export class SnapshotModule {}
