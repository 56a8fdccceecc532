import { randomUUID } from 'node:crypto';
import { deadLetterTopic } from '@sluice/events';
import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { BusCounts } from './bus-counts.js';
import { BatchDelivery } from './batch-delivery.js';
import { deliver } from './deliver.js';
import type { BatchHandler, OutgoingMessage } from './event-batches.js';
import type { Audience, BusHandler, BusMessage, BusStats, EventBus, Published } from './event-bus.js';
import { KafkaBatchProducer } from './kafka-batch-producer.js';
import { KafkaBatchReader } from './kafka-batch-reader.js';
import { kafkaClient, type KafkaOptions } from './kafka-client.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { heartbeatIntervalMs, KafkaSubscription } from './kafka-subscription.js';
import type { Subscription } from './subscription.js';

/** How a {@link KafkaBus} behaves. */
export interface KafkaBusOptions extends KafkaOptions {
  /** Longest time that a publish takes; what is not acknowledged by then counts as dropped. Default 2,000 ms. */
  readonly publishBoundMs?: number;
  /** When a group takes a member for dead that is not heard of. Default 6,000 ms, which is the least that brokers allow by default. */
  readonly sessionTimeoutMs?: number;
}

/** Others who join wait for a member that has a batch in hand, this long; then it is thrown out, and the batch is another's. */
const BATCH_REBALANCE_TIMEOUT_MS = 90_000;
/**
 * Compressed, of a partition and in all: events are a tenth of their size then, and those that are much alike a fiftieth, all of which is in memory at once as soon as
 * it is fetched.
 */
const FETCH = { maxBytesPerPartition: 256 * 1024, maxBytes: 1024 * 1024 } as const;

/** The bus on Kafka. It starts, runs and stops with the brokers down, and comes back with them. */
export class KafkaBus implements EventBus {
  private readonly kafka: Kafka;
  /** Its requests take no longer than a batch may: what is behind one that is given up should not wait for it. */
  private readonly batchKafka: Kafka;
  private readonly logger: Logger;
  private readonly clientId: string;
  private readonly publisher: KafkaPublisher;
  private readonly batchProducers = new Map<string, KafkaBatchProducer>();
  private readonly publishBoundMs: number;
  private readonly sessionTimeoutMs: number | undefined;
  private readonly counts = new BusCounts();
  private readonly subscriptions = new Set<Subscription>();
  private closed = false;

  constructor(options: KafkaBusOptions) {
    this.logger = options.logger;
    this.clientId = options.clientId;
    this.kafka = kafkaClient(options);
    this.batchKafka = kafkaClient({ ...options, requestTimeoutMs: options.publishBoundMs ?? 2_000 });
    this.publishBoundMs = options.publishBoundMs ?? 2_000;
    this.sessionTimeoutMs = options.sessionTimeoutMs;
    this.publisher = new KafkaPublisher(this.kafka, this.logger, this.publishBoundMs);
  }

  async publish(topic: string, key: string, message: Buffer | string): Promise<Published> {
    const outcome = await this.publisher.publish(topic, key, typeof message === 'string' ? Buffer.from(message) : message);
    this.counts.add(outcome === 'sent' ? 'published' : 'dropped');
    return outcome;
  }

  subscribe(topic: string, audience: Audience, handler: BusHandler): Subscription {
    const broadcast = audience === 'broadcast';
    // kafkajs cannot read without a group, so that a broadcast is a group of one.
    const groupId = broadcast ? `${this.clientId}-broadcast-${randomUUID()}` : audience.groupId;
    const deadLetter = broadcast ? undefined : (message: BusMessage) => this.keepDeadLetter(message);
    const delivery = { handler, counts: this.counts, logger: this.logger, deadLetter };
    return this.keep(
      new KafkaSubscription({
        kafka: this.kafka,
        logger: this.logger,
        topic,
        groupId,
        fromBeginning: !broadcast,
        sessionTimeoutMs: this.sessionTimeoutMs,
        reads: () => ({
          eachMessage: ({ message }) => deliver({ topic, key: message.key?.toString('utf8') ?? '', value: message.value ?? Buffer.alloc(0) }, delivery),
        }),
      }),
    );
  }

  async publishBatch(topic: string, messages: readonly OutgoingMessage[]): Promise<number> {
    const accepted = this.closed ? 0 : await this.batchProducer(topic).publish(messages);
    this.counts.add('published', accepted);
    this.counts.add('dropped', messages.length - accepted);
    return accepted;
  }

  subscribeBatches(topic: string, groupId: string, handler: BatchHandler): Subscription {
    const delivery = new BatchDelivery({ handler, groupId, counts: this.counts, logger: this.logger });
    return this.keep(
      new KafkaSubscription({
        kafka: this.kafka,
        logger: this.logger,
        topic,
        groupId,
        fromBeginning: true,
        sessionTimeoutMs: this.sessionTimeoutMs,
        settings: { rebalanceTimeout: BATCH_REBALANCE_TIMEOUT_MS, ...FETCH },
        reads: (consumer, closing) => {
          const reader = new KafkaBatchReader({ topic, delivery, heartbeatEveryMs: heartbeatIntervalMs(this.sessionTimeoutMs) / 3, closing });
          consumer.on(consumer.events.GROUP_JOIN, () => reader.joined());
          return { autoCommit: false, eachBatchAutoResolve: false, eachBatch: (payload) => reader.eachBatch(payload) };
        },
      }),
    );
  }

  stats(): BusStats {
    return this.counts.read();
  }

  isConnected(): boolean {
    return this.publisher.isConnected;
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.close()));
    this.subscriptions.clear();
    this.closed = true;
    await Promise.all([this.publisher.close(), ...[...this.batchProducers.values()].map((producer) => producer.close())]);
  }

  private keep(subscription: Subscription): Subscription {
    this.subscriptions.add(subscription);
    return {
      ready: subscription.ready,
      close: async () => {
        this.subscriptions.delete(subscription);
        await subscription.close();
      },
    };
  }

  /** One a topic, so that what goes wrong with one leaves the others alone. */
  private batchProducer(topic: string): KafkaBatchProducer {
    let producer = this.batchProducers.get(topic);
    if (producer === undefined) {
      producer = new KafkaBatchProducer({ kafka: this.batchKafka, logger: this.logger, topic, boundMs: this.publishBoundMs });
      this.batchProducers.set(topic, producer);
    }
    return producer;
  }

  /** Throws when Kafka does not take it, so that the message stays where it is and comes again. */
  private async keepDeadLetter(message: BusMessage): Promise<void> {
    const outcome = await this.publish(deadLetterTopic(message.topic), message.key, message.value);
    if (outcome === 'dropped') throw new Error(`${deadLetterTopic(message.topic)} did not take a message`);
  }
}
