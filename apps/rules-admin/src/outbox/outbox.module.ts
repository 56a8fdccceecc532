import { Module } from '@nestjs/common';
import { Outbox } from './outbox.js';
import { OutboxMetrics } from './outbox-metrics.js';
import { OutboxRelay } from './outbox-relay.js';

/** The push: what the writers leave in the outbox goes to the nodes. */
@Module({ providers: [Outbox, OutboxMetrics, OutboxRelay] })
export class OutboxModule {}
