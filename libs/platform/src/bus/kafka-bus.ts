import { randomUUID } from 'node:crypto';
import { deadLetterTopic } from '@sluice/events';
import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { BusCounts } from './bus-counts.js';
import { deliver } from './deliver.js';
import { type Audience, type BusHandler, type BusMessage, type BusStats, type EventBus, type Published, type Subscription } from './event-bus.js';
import { kafkaClient, type KafkaOptions } from './kafka-client.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { KafkaSubscription } from './kafka-subscription.js';

/** How a {@link KafkaBus} behaves. */
export interface KafkaBusOptions extends KafkaOptions {
  /** Longest time that a publish takes; what is not acknowledged by then counts as dropped. Default 2,000 ms. */
  readonly publishBoundMs?: number;
}

/** The bus on Kafka. It starts, runs and stops with the brokers down, and comes back with them. */
export class KafkaBus implements EventBus {
  private readonly kafka: Kafka;
  private readonly logger: Logger;
  private readonly clientId: string;
  private readonly publisher: KafkaPublisher;
  private readonly counts = new BusCounts();
  private readonly subscriptions = new Set<Subscription>();

  constructor(options: KafkaBusOptions) {
    this.logger = options.logger;
    this.clientId = options.clientId;
    this.kafka = kafkaClient(options);
    this.publisher = new KafkaPublisher(this.kafka, this.logger, options.publishBoundMs ?? 2_000);
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
    const subscription = new KafkaSubscription({
      kafka: this.kafka,
      logger: this.logger,
      topic,
      groupId,
      fromBeginning: !broadcast,
      handle: (message) => deliver(message, delivery),
    });
    this.subscriptions.add(subscription);
    return {
      ready: subscription.ready,
      close: async () => {
        this.subscriptions.delete(subscription);
        await subscription.close();
      },
    };
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
    await this.publisher.close();
  }

  /** Throws when Kafka does not take it, so that the message stays where it is and comes again. */
  private async keepDeadLetter(message: BusMessage): Promise<void> {
    const outcome = await this.publish(deadLetterTopic(message.topic), message.key, message.value);
    if (outcome === 'dropped') throw new Error(`${deadLetterTopic(message.topic)} did not take a message`);
  }
}
