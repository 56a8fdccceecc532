import { deadLetterTopic } from '@sluice/events';
import type { Logger } from 'pino';
import { BusCounts } from './bus-counts.js';
import { deliver } from './deliver.js';
import type { BatchHandler, OutgoingMessage } from './event-batches.js';
import type { Audience, BusHandler, BusMessage, BusStats, EventBus, Published } from './event-bus.js';
import { InProcessBatches } from './in-process-batches.js';
import type { Subscription } from './subscription.js';

/** Messages that one subscriber may have waiting; further ones are dropped and counted. */
const MAX_WAITING = 10_000;

/** A subscriber's queue: one message after another, never on the publisher's stack. */
class Subscriber {
  private waiting = 0;
  private tail: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    readonly groupId: string | undefined,
    private readonly handle: (message: BusMessage) => Promise<void>,
  ) {}

  /** @returns false when there is no room */
  offer(message: BusMessage): boolean {
    if (this.waiting >= MAX_WAITING) return false;
    this.waiting += 1;
    this.tail = this.tail
      .then(() => (this.closed ? undefined : this.handle(message)))
      .finally(() => {
        this.waiting -= 1;
      });
    return true;
  }

  /** Waits for the message in hand; those behind it are let go, as they would be on a broker. */
  async close(): Promise<void> {
    this.closed = true;
    await this.tail;
  }

  async drain(): Promise<void> {
    await this.tail;
  }
}

/** The bus of one process (standalone, tests). Keeps nothing: a message without a subscriber is gone. */
export class InProcessBus implements EventBus {
  private readonly topics = new Map<string, Set<Subscriber>>();
  /** By topic, then group. */
  private readonly batches = new Map<string, Map<string, InProcessBatches>>();
  private readonly batchSubscriptions = new Set<Subscription>();
  private readonly counts = new BusCounts();
  private closed = false;

  constructor(private readonly logger: Logger) {}

  publish(topic: string, key: string, message: Buffer | string): Promise<Published> {
    if (this.closed) {
      this.counts.add('dropped');
      return Promise.resolve('dropped');
    }
    const sent: BusMessage = { topic, key, value: typeof message === 'string' ? Buffer.from(message) : message };
    const accepted = Math.min(this.offerBatches(topic, [sent]), this.offerEach(topic, [sent]));
    this.counts.add(accepted === 1 ? 'published' : 'dropped');
    return Promise.resolve(accepted === 1 ? 'sent' : 'dropped');
  }

  publishBatch(topic: string, messages: readonly OutgoingMessage[]): Promise<number> {
    const accepted = this.closed ? 0 : Math.min(this.offerBatches(topic, messages), this.offerEach(topic, messages));
    this.counts.add('published', accepted);
    this.counts.add('dropped', messages.length - accepted);
    return Promise.resolve(accepted);
  }

  subscribe(topic: string, audience: Audience, handler: BusHandler): Subscription {
    const groupId = audience === 'broadcast' ? undefined : audience.groupId;
    const deadLetter =
      groupId === undefined
        ? undefined
        : async (message: BusMessage): Promise<void> => {
            await this.publish(deadLetterTopic(topic), message.key, message.value);
          };
    const delivery = { handler, counts: this.counts, logger: this.logger, deadLetter };
    const subscriber = new Subscriber(groupId, (message) => deliver(message, delivery));
    const subscribers = this.topics.get(topic) ?? new Set();
    subscribers.add(subscriber);
    this.topics.set(topic, subscribers);
    return {
      ready: Promise.resolve(),
      close: async () => {
        subscribers.delete(subscriber);
        await subscriber.close();
      },
    };
  }

  /** The topic has one partition, so that of the members of a group one handles all of it; the others stand by until it leaves. */
  subscribeBatches(topic: string, groupId: string, handler: BatchHandler): Subscription {
    const groups = this.batches.get(topic) ?? new Map<string, InProcessBatches>();
    this.batches.set(topic, groups);
    const group = groups.get(groupId) ?? new InProcessBatches(topic, () => groups.delete(groupId));
    groups.set(groupId, group);
    const subscription = group.join({ handler, groupId, counts: this.counts, logger: this.logger });
    this.batchSubscriptions.add(subscription);
    return {
      ready: subscription.ready,
      close: async () => {
        this.batchSubscriptions.delete(subscription);
        await subscription.close();
      },
    };
  }

  stats(): BusStats {
    return this.counts.read();
  }

  isConnected(): boolean {
    return !this.closed;
  }

  /** Handles what was accepted, then closes. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.topics.values()].flatMap((subscribers) => [...subscribers].map((subscriber) => subscriber.drain())));
    await Promise.all([...this.batchSubscriptions].map((subscription) => subscription.close()));
    this.batchSubscriptions.clear();
    this.topics.clear();
  }

  private offer(message: BusMessage): boolean {
    return !this.receivers(message.topic, message.key)
      .map((subscriber) => subscriber.offer(message))
      .includes(false);
  }

  /** @returns how many every group had room for */
  private offerBatches(topic: string, messages: readonly OutgoingMessage[]): number {
    let accepted = messages.length;
    for (const group of this.batches.get(topic)?.values() ?? []) accepted = Math.min(accepted, group.offer(messages));
    return accepted;
  }

  /** To those who subscribed to single messages, if any. @returns how many from the first had room with all of them */
  private offerEach(topic: string, messages: readonly OutgoingMessage[]): number {
    if ((this.topics.get(topic)?.size ?? 0) === 0) return messages.length;
    const refused = messages.map(({ key, value }) => this.offer({ topic, key, value: typeof value === 'string' ? Buffer.from(value) : value })).indexOf(false);
    return refused === -1 ? messages.length : refused;
  }

  /** All broadcast subscribers, and of each group the one that the key falls to, so that a key keeps its order. */
  private receivers(topic: string, key: string): Subscriber[] {
    const groups = new Map<string, Subscriber[]>();
    const receivers: Subscriber[] = [];
    for (const subscriber of this.topics.get(topic) ?? []) {
      if (subscriber.groupId === undefined) receivers.push(subscriber);
      else groups.set(subscriber.groupId, [...(groups.get(subscriber.groupId) ?? []), subscriber]);
    }
    for (const members of groups.values()) {
      const chosen = members[hash(key) % members.length];
      if (chosen !== undefined) receivers.push(chosen);
    }
    return receivers;
  }
}

/** FNV-1a, 32 bits: only spreads keys over members. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}
