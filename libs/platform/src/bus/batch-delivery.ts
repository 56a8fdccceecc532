import type { Logger } from 'pino';
import type { BusCounts } from './bus-counts.js';
import type { BatchHandler, BusBatch } from './event-batches.js';

/** What a {@link BatchDelivery} is made of. */
export interface BatchDeliveryOptions {
  readonly handler: BatchHandler;
  readonly groupId: string;
  readonly counts: BusCounts;
  readonly logger: Logger;
}

/** Calls a batch handler; counts what it handled, and logs when it begins to fail and when it is well again, once each. */
export class BatchDelivery {
  private failures = 0;

  constructor(private readonly options: BatchDeliveryOptions) {}

  /** Never rejects. @returns how many calls in a row have failed, this one included; 0 when it handled the batch */
  async hand(batch: BusBatch): Promise<number> {
    const { handler, groupId, counts, logger } = this.options;
    const { topic, partition } = batch;
    try {
      await handler(batch);
    } catch (error) {
      this.failures += 1;
      logger[this.failures === 1 ? 'warn' : 'debug'](
        { err: error, topic, partition, group_id: groupId, messages: batch.messages.length, failures: this.failures },
        'batch handler fails; the same messages come again until it does not',
      );
      return this.failures;
    }
    counts.add('handled', batch.messages.length);
    if (this.failures > 0) logger.info({ topic, partition, group_id: groupId, failures: this.failures }, 'batch handler is well again');
    this.failures = 0;
    return 0;
  }
}
