import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from './backoff.js';
import { BatchDelivery, type BatchDeliveryOptions } from './batch-delivery.js';
import type { BusBatch, OutgoingMessage } from './event-batches.js';
import type { Subscription } from './subscription.js';

/** Messages that may wait for a group; further ones are dropped. */
const MAX_WAITING = 100_000;
const MAX_BATCH = 2_000;
/** How long a batch that is not full waits for more. */
const LINGER_MS = 5;

/**
 * What waits for one group, as a topic of one partition has it: one member handles it, the others stand by and take over, in the order in which they came.
 * Nothing is made a message but a place in an array.
 */
export class InProcessBatches {
  private waiting: OutgoingMessage[] = [];
  private offset = 0n;
  private members = 0;
  private lastTurn: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;

  /** @param onLeft called when the last member leaves: nothing is to be offered from then on */
  constructor(
    private readonly topic: string,
    private readonly onLeft: () => void,
  ) {}

  /** @returns how many there was room for, from the first */
  offer(messages: readonly OutgoingMessage[]): number {
    const taken = Math.min(messages.length, MAX_WAITING - this.waiting.length);
    for (const message of taken === messages.length ? messages : messages.slice(0, taken)) this.waiting.push(message);
    if (taken > 0) this.wake();
    return taken;
  }

  /** The member that leaves last takes what waits with it, as far as its handler does; elsewhere nobody would keep it. */
  join(options: BatchDeliveryOptions): Subscription {
    const delivery = new BatchDelivery(options);
    const leaving = new AbortController();
    this.members += 1;
    const turn = this.lastTurn.then(() => this.serve(delivery, leaving.signal));
    this.lastTurn = turn;
    let left: Promise<void> | undefined;
    const leave = async (): Promise<void> => {
      leaving.abort();
      this.wake();
      this.members -= 1;
      const isLast = this.members === 0;
      if (isLast) this.onLeft();
      await turn;
      if (isLast) options.counts.add('failed', await this.giveUp(delivery));
    };
    return { ready: Promise.resolve(), close: () => (left ??= leave()) };
  }

  private async serve(delivery: BatchDelivery, leaving: AbortSignal): Promise<void> {
    while (!leaving.aborted) {
      if (this.waiting.length === 0) await this.untilOffered();
      else if (this.waiting.length < MAX_BATCH) await sleep(LINGER_MS, undefined, { signal: leaving }).catch(() => undefined);
      if (leaving.aborted || this.waiting.length === 0) continue;
      const failures = await this.handNext(delivery);
      if (failures > 0) await backoff(failures, leaving);
    }
  }

  private untilOffered(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private async handNext(delivery: BatchDelivery): Promise<number> {
    const batch = this.next();
    const failures = await delivery.hand(batch);
    if (failures === 0) {
      this.waiting.splice(0, batch.messages.length);
      this.offset += BigInt(batch.messages.length);
    }
    return failures;
  }

  private next(): BusBatch {
    let offset = this.offset;
    const messages = this.waiting.slice(0, MAX_BATCH).map(({ key, value }) => ({ key, value: typeof value === 'string' ? Buffer.from(value) : value, offset: offset++ }));
    return { topic: this.topic, partition: 0, messages };
  }

  /** @returns how many messages are lost */
  private async giveUp(delivery: BatchDelivery): Promise<number> {
    let failures = 0;
    while (this.waiting.length > 0 && failures === 0) failures = await this.handNext(delivery);
    return this.waiting.length;
  }
}
