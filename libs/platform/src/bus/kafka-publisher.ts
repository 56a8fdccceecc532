import { setTimeout as sleep } from 'node:timers/promises';
import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { Logger } from 'pino';
import { backoff } from './backoff.js';
import type { Published } from './event-bus.js';

/** Messages that may wait for a batch; further ones are dropped. */
const MAX_WAITING = 10_000;
const MAX_BATCH = 500;

interface Waiting {
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer;
  readonly deadline: number;
  readonly settle: (outcome: Published) => void;
}

interface TopicMessages {
  readonly topic: string;
  readonly messages: { readonly key: string | null; readonly value: Buffer }[];
}

function byTopic(batch: readonly Waiting[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, key, value } of batch) {
    const entry = topics.get(topic) ?? { topic, messages: [] };
    entry.messages.push({ key: key === '' ? null : key, value });
    topics.set(topic, entry);
  }
  return [...topics.values()];
}

/**
 * Sends messages in batches, one batch at a time (order), each message within its bound: what Kafka has not acknowledged by then is
 * given up. A message given up while its batch was under way may still arrive: delivery is at least once or not at all.
 */
export class KafkaPublisher {
  private readonly producer: Producer;
  private readonly stopping = new AbortController();
  private waiting: Waiting[] = [];
  private sending: Promise<void> | undefined;
  private sweeper: NodeJS.Timeout | undefined;
  private connected = false;
  private healthy = false;

  constructor(
    kafka: Kafka,
    private readonly logger: Logger,
    private readonly boundMs: number,
  ) {
    this.producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: true });
    void this.connect();
  }

  get isConnected(): boolean {
    return this.healthy;
  }

  publish(topic: string, key: string, value: Buffer): Promise<Published> {
    if (this.stopping.signal.aborted || this.waiting.length >= MAX_WAITING) return Promise.resolve('dropped');
    return new Promise((settle) => {
      this.waiting.push({ topic, key, value, deadline: performance.now() + this.boundMs, settle });
      this.sweepLater();
      this.sendNext();
    });
  }

  /** Sends what waits, for as long as a message may wait. */
  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.flush(), sleep(this.boundMs, undefined, { ref: false })]);
    clearTimeout(this.sweeper);
    for (const message of this.waiting) message.settle('dropped');
    this.waiting = [];
    await Promise.race([this.producer.disconnect().catch(() => undefined), sleep(this.boundMs, undefined, { ref: false })]);
  }

  private async flush(): Promise<void> {
    while (this.connected && (this.waiting.length > 0 || this.sending !== undefined)) {
      this.sendNext();
      await this.sending;
    }
  }

  private async connect(): Promise<void> {
    for (let attempt = 1; !this.stopping.signal.aborted; attempt += 1) {
      try {
        await this.producer.connect();
        this.connected = true;
        this.healthy = true;
        this.sendNext();
        return;
      } catch (error) {
        if (attempt === 1) this.logger.warn({ err: error }, 'kafka cannot be reached; trying on');
        await backoff(attempt, this.stopping.signal);
      }
    }
  }

  private sendNext(): void {
    if (!this.connected || this.sending !== undefined || this.waiting.length === 0) return;
    // A microtask later, so that messages of one tick make one batch.
    this.sending = Promise.resolve()
      .then(() => this.sendBatch())
      .finally(() => {
        this.sending = undefined;
        this.sendNext();
      });
  }

  private async sendBatch(): Promise<void> {
    const batch = this.waiting.splice(0, MAX_BATCH);
    const topicMessages = byTopic(batch);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Published>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, (batch[0]?.deadline ?? 0) - performance.now()), 'dropped');
    });
    const sent = this.producer.sendBatch({ topicMessages, acks: -1 }).then(
      (): Published => 'sent',
      (error: unknown): Published => {
        if (this.healthy) this.logger.warn({ err: error, messages: batch.length }, 'kafka did not take a batch');
        return 'dropped';
      },
    );
    void Promise.race([sent, late]).then((outcome) => {
      clearTimeout(timer);
      for (const message of batch) message.settle(outcome);
    });
    this.healthy = (await sent) === 'sent';
  }

  /** One timer for all that wait, set for the oldest. */
  private sweepLater(): void {
    if (this.sweeper !== undefined) return;
    this.sweeper = setTimeout(() => {
      this.sweeper = undefined;
      const now = performance.now();
      const late = this.waiting.filter(({ deadline }) => deadline <= now);
      if (late.length > 0) this.waiting = this.waiting.slice(late.length);
      for (const message of late) message.settle('dropped');
      if (this.waiting.length > 0) this.sweepLater();
    }, Math.max(1, (this.waiting[0]?.deadline ?? 0) - performance.now()));
  }
}
