import { Module } from '@nestjs/common';
import { BatchSink } from './batch-sink.js';
import { SinkController } from './sink.controller.js';
import { SinkMetrics } from './sink-metrics.js';
import { SinkState } from './sink-state.js';
import { StoreCare } from './store-care.js';

/** The way of the decision stream into the store. */
@Module({ controllers: [SinkController], providers: [BatchSink, SinkMetrics, { provide: SinkState, useFactory: () => new SinkState() }, StoreCare] })
export class SinkModule {}
