import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { backoff } from './backoff.js';
import type { BatchDelivery } from './batch-delivery.js';
import type { BatchMessage, BusBatch } from './event-batches.js';
import { GroupHeartbeat } from './group-heartbeat.js';

/** Messages that a handler gets at once, so that what it makes of them is bounded: a fetch of well compressed ones holds many more. */
const MAX_BATCH = 10_000;

/** What a {@link KafkaBatchReader} is made of. */
export interface KafkaBatchReaderOptions {
  readonly topic: string;
  readonly delivery: BatchDelivery;
  /** When to ask whether a heartbeat is due. */
  readonly heartbeatEveryMs: number;
  readonly closing: AbortSignal;
}

/**
 * Hands fetched batches of one consumer to the handler of a group, for kafkajs's `eachBatch`: the position moves on when the handler resolves; until then the
 * same messages come again, and the member stays in its group.
 */
export class KafkaBatchReader {
  /** What the group said last, while it has not been joined again: batches that were fetched before are none of ours, or soon will not be. */
  private recall: { readonly reason: unknown } | undefined;

  constructor(private readonly options: KafkaBatchReaderOptions) {}

  /** To be called when the consumer has joined its group, again or for the first time. */
  joined(): void {
    this.recall = undefined;
  }

  /** Rejects only with errors of kafkajs, by which it joins again or gives up the connection. */
  async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isRunning, isStale } = payload;
    const beats = new GroupHeartbeat(heartbeat, this.options.heartbeatEveryMs);
    try {
      for (let from = 0; from < batch.messages.length; from += MAX_BATCH) {
        if (!isRunning() || isStale()) return;
        if (this.recall !== undefined) throw this.recall.reason;
        const messages = batch.messages.slice(from, from + MAX_BATCH);
        const handled = await this.handle({ topic: batch.topic, partition: batch.partition, messages: messages.map(batchMessage) }, beats);
        if (handled && !beats.isLost) await this.moveOn(payload, messages.at(-1));
        if (beats.recalled.aborted) this.recall = { reason: beats.reason };
        if (!handled && this.recall === undefined) return;
      }
      if (this.recall !== undefined) throw this.recall.reason;
    } finally {
      beats.stop();
    }
  }

  /** Until it is handled, or must be let go: @returns which */
  private async handle(batch: BusBatch, beats: GroupHeartbeat): Promise<boolean> {
    const { delivery, closing } = this.options;
    const end = AbortSignal.any([closing, beats.recalled]);
    for (;;) {
      const failures = await delivery.hand(batch);
      if (failures === 0) return true;
      await backoff(failures, end);
      if (end.aborted) return false;
    }
  }

  /** Commits; a member that has lost its partition is refused by the broker too. */
  private async moveOn({ resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets }: EachBatchPayload, last: KafkaMessage | undefined): Promise<void> {
    if (last === undefined) return;
    resolveOffset(last.offset);
    await commitOffsetsIfNecessary(uncommittedOffsets());
  }
}

function batchMessage({ key, value, offset }: KafkaMessage): BatchMessage {
  return { key: key?.toString('utf8') ?? '', value: value ?? Buffer.alloc(0), offset: BigInt(offset) };
}
