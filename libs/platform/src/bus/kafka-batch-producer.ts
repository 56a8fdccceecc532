import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer } from 'kafkajs';
import type { Logger } from 'pino';
import { backoff } from './backoff.js';
import type { OutgoingMessage } from './event-batches.js';
import { lacksIdempotence } from './lacks-idempotence.js';
import { messageChunks } from './message-chunks.js';
import { acknowledged, keepPartitions, placedMessage } from './placed-message.js';
import { batchCompression } from './zstd-codec.js';

/** What a {@link KafkaBatchProducer} is made of. */
export interface KafkaBatchProducerOptions {
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly topic: string;
  /** Longest time that a batch takes. */
  readonly boundMs: number;
}

/**
 * Sends batches to one topic, compressed, one request at a time, and as an idempotent producer where the broker has that: a request that is tried again is
 * written once. What is given up at the bound may still arrive.
 *
 * A failed send ends its producer, and the next one waits until it has: kafkajs takes back the sequence numbers of what failed, though the broker may have written
 * it, so that from then on other messages would pass for repeats (and be lost while acknowledged) or be refused as out of order for ever.
 */
export class KafkaBatchProducer {
  private readonly closing = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();
  /** Settles when nothing of an earlier request is under way; the producer that can go on, or undefined for another one. */
  private current: Promise<Producer | undefined> = Promise.resolve(undefined);
  private saidPlain = false;

  constructor(private readonly options: KafkaBatchProducerOptions) {}

  /** Never rejects. @returns how many were acknowledged within the bound, from the first */
  publish(messages: readonly OutgoingMessage[]): Promise<number> {
    const deadline = performance.now() + this.options.boundMs;
    const published = this.turn.then(() => this.sendAll(messages, deadline));
    this.turn = published;
    return published;
  }

  /** Waits for what is under way, within the bound. */
  async close(): Promise<void> {
    const ended = this.turn.then(() => this.current).then((producer) => producer?.disconnect());
    await Promise.race([ended.catch(() => undefined), sleep(this.options.boundMs, undefined, { ref: false })]);
    this.closing.abort();
  }

  private async sendAll(messages: readonly OutgoingMessage[], deadline: number): Promise<number> {
    let accepted = 0;
    for (const chunk of messageChunks(messages)) {
      const taken = await this.sendWithin(chunk, deadline);
      accepted += taken;
      if (taken < chunk.length) break;
    }
    return accepted;
  }

  private async sendWithin(chunk: readonly OutgoingMessage[], deadline: number): Promise<number> {
    this.current = this.current.then((producer) => producer ?? this.open());
    const producer = await before(deadline, this.current);
    if (producer === undefined || performance.now() >= deadline) return 0;
    const sending = this.send(producer, chunk);
    this.current = sending.then(async (taken) => {
      if (taken === chunk.length) return producer;
      await producer.disconnect().catch(() => undefined);
      return undefined;
    });
    return (await before(deadline, sending)) ?? 0;
  }

  private async send(producer: Producer, chunk: readonly OutgoingMessage[]): Promise<number> {
    const { logger, topic, boundMs } = this.options;
    const messages = chunk.map(placedMessage);
    try {
      return acknowledged(messages, await producer.send({ topic, messages, acks: -1, timeout: boundMs, compression: batchCompression() }));
    } catch (error) {
      logger.warn({ err: error, topic, messages: chunk.length }, 'kafka did not take a batch; another producer takes over');
      return 0;
    }
  }

  /** A connected producer; undefined only when closing. */
  private async open(): Promise<Producer | undefined> {
    const { logger, topic } = this.options;
    // Asked anew for each producer: a broker that names no controller now may do so later.
    let idempotent = true;
    for (let attempt = 1; !this.closing.signal.aborted; ) {
      const producer = this.newProducer(idempotent);
      try {
        await producer.connect();
        return producer;
      } catch (error) {
        await producer.disconnect().catch(() => undefined);
        if (idempotent && lacksIdempotence(error)) {
          idempotent = false;
          if (!this.saidPlain) logger.warn({ err: error, topic }, 'the broker has no idempotent producer; a batch that is tried again may be there twice');
          this.saidPlain = true;
          continue;
        }
        if (attempt === 1) logger.warn({ err: error, topic }, 'kafka cannot be reached for batches; trying on');
        await backoff(attempt, this.closing.signal);
        attempt += 1;
      }
    }
    return undefined;
  }

  private newProducer(idempotent: boolean): Producer {
    return this.options.kafka.producer({
      createPartitioner: keepPartitions,
      allowAutoTopicCreation: true,
      idempotent,
      // kafkajs would try an idempotent send for ever.
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 },
    });
  }
}

/** What a promise resolves to, or undefined when it takes until after the deadline (of `performance.now()`). */
async function before<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
