import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@sluice/events';
import type { BusBatch } from '@sluice/platform';
import { BatchSink } from './batch-sink.js';

/** All replicas are one group: each event is for one of them. */
const GROUP_ID = 'sluice-decision-log';

@Controller()
export class SinkController {
  constructor(private readonly sink: BatchSink) {}

  @EventPattern<string>(TOPICS.decisions, { groupId: GROUP_ID, batch: true })
  decided(@Payload() batch: BusBatch): Promise<void> {
    return this.sink.take(batch);
  }
}
