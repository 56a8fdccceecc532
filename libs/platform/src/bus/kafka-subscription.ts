import type { Consumer, ConsumerConfig, ConsumerCrashEvent, ConsumerRunConfig, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { backoff } from './backoff.js';
import type { Subscription } from './subscription.js';

/** What a subscription reads, and how. */
export interface KafkaSubscriptionOptions {
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly topic: string;
  readonly groupId: string;
  /** Where a group that has no position yet begins: at the oldest message, or at the newest. */
  readonly fromBeginning: boolean;
  /** A member that vanished holds up the next one for so long. Default 6 s, which is the least that brokers allow by default. */
  readonly sessionTimeoutMs?: number | undefined;
  /** What this subscription wants otherwise than others. */
  readonly settings?: Omit<ConsumerConfig, 'groupId' | 'retry' | 'sessionTimeout' | 'heartbeatInterval'>;
  /** How to read with a consumer; called for each that is made. What is in hand when `closing` aborts is waited for. */
  readonly reads: (consumer: Consumer, closing: AbortSignal) => ConsumerRunConfig;
}

const DEFAULT_SESSION_TIMEOUT_MS = 6_000;

/** @returns how often a member of such a session says that it lives */
export function heartbeatIntervalMs(sessionTimeoutMs = DEFAULT_SESSION_TIMEOUT_MS): number {
  return sessionTimeoutMs / 4;
}

/** A consumer that comes back: whatever ends it (brokers gone, group lost, topic not there yet), another takes its place until closed. */
export class KafkaSubscription implements Subscription {
  readonly ready: Promise<void>;
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private becomeReady: () => void = () => undefined;

  constructor(private readonly options: KafkaSubscriptionOptions) {
    this.ready = new Promise((resolve) => {
      this.becomeReady = resolve;
    });
    this.running = this.runUntilClosed();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async runUntilClosed(): Promise<void> {
    const { logger, topic, groupId } = this.options;
    for (let attempt = 1; !this.closing.signal.aborted; attempt += 1) {
      const consumer = this.newConsumer();
      const joined = this.watch(consumer);
      try {
        await this.runOnce(consumer);
      } catch (error) {
        if (joined()) attempt = 1;
        logger[attempt === 1 ? 'warn' : 'debug']({ err: error, topic, group_id: groupId, attempt }, 'kafka subscription lost; trying on');
        await backoff(attempt, this.closing.signal);
      } finally {
        await consumer.disconnect().catch(() => undefined);
      }
    }
  }

  private newConsumer(): Consumer {
    const { kafka, groupId, sessionTimeoutMs, settings } = this.options;
    return kafka.consumer({
      groupId,
      allowAutoTopicCreation: true,
      // A push should arrive in much less than its 2 s (R55); kafkajs waits up to 5 s by default.
      maxWaitTimeInMs: 500,
      sessionTimeout: sessionTimeoutMs ?? DEFAULT_SESSION_TIMEOUT_MS,
      heartbeatInterval: heartbeatIntervalMs(sessionTimeoutMs),
      rebalanceTimeout: 10_000,
      ...settings,
      // The loop here makes a new consumer: kafkajs's own restart gives up on errors that it takes for final, such as a missing topic.
      retry: { restartOnFailure: () => Promise.resolve(false) },
    });
  }

  /** Runs until the consumer crashes (rejects) or the subscription closes (resolves). */
  private async runOnce(consumer: Consumer): Promise<void> {
    const { topic, fromBeginning, reads } = this.options;
    const ended = new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }: ConsumerCrashEvent) => reject(payload.error));
      this.closing.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // Handled below; a crash while still subscribing must not be an unhandled rejection.
    ended.catch(() => undefined);
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning });
    await consumer.run(reads(consumer, this.closing.signal));
    await ended;
  }

  /** Ready after the first fetch: only then does the consumer hold the position from which it reads. @returns whether it got so far */
  private watch(consumer: Consumer): () => boolean {
    let joined = false;
    let fetched = false;
    consumer.on(consumer.events.GROUP_JOIN, () => {
      joined = true;
    });
    consumer.on(consumer.events.FETCH, () => {
      fetched = joined;
      if (fetched) this.becomeReady();
    });
    return () => fetched;
  }
}
