import type { Subscription } from './subscription.js';

/** A message to be sent with others. */
export interface OutgoingMessage {
  /** What messages are ordered and spread over partitions by; empty for none. */
  readonly key: string;
  readonly value: Buffer | string;
}

/** A message of a batch. */
export interface BatchMessage {
  readonly key: string;
  readonly value: Buffer;
  /** Its place in the partition. */
  readonly offset: bigint;
}

/** Messages of one partition, in their order; at least one. */
export interface BusBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly BatchMessage[];
}

/**
 * Handles a batch. The position of the group moves on when it resolves, and not before; while it runs nothing further of any partition is handed to
 * this member, which is the backpressure. When it rejects the same messages come again, after a pause that grows to 4 s, for as long as it takes: nothing
 * is given up. The batch may then be cut differently.
 */
export type BatchHandler = (batch: BusBatch) => Promise<void>;

/** Sending and receiving of many messages at once. */
export interface EventBatches {
  /**
   * Sends them in this order, compressed, each at most once by the broker's own check where it has one. Resolves to how many were accepted, counted from the first,
   * within the bus's bound; never rejects. One call of a topic at a time.
   */
  publishBatch(topic: string, messages: readonly OutgoingMessage[]): Promise<number>;
  subscribeBatches(topic: string, groupId: string, handler: BatchHandler): Subscription;
}
