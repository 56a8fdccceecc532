import type { EventBatches } from './event-batches.js';
import type { Subscription } from './subscription.js';

/** One message as a handler sees it. */
export interface BusMessage {
  readonly topic: string;
  /** What messages of one key are ordered by; empty when the publisher gave none. */
  readonly key: string;
  readonly value: Buffer;
}

/**
 * Handles one message. Messages of one key come one after another. A handler that throws is called again, up to three times in all;
 * then the message goes to `<topic>.dlq` for a group and is dropped for a broadcast, and is counted either way.
 */
export type BusHandler = (message: BusMessage) => void | Promise<void>;

/** Who else gets a message: one member of the group, or every subscriber. A broadcast starts at the newest message. */
export type Audience = { readonly groupId: string } | 'broadcast';

/** What became of a message: accepted by the bus, or given up. */
export type Published = 'sent' | 'dropped';

/** Counts of messages since the start, those of batches one by one. `failed` were given up by their handler. */
export interface BusStats {
  readonly published: number;
  readonly dropped: number;
  readonly handled: number;
  readonly failed: number;
}

/** The port to the message bus. Two real things stand behind it: a queue in this process, and Kafka. */
export interface EventBus extends EventBatches {
  /**
   * Never throws, and never takes longer than the bus's own bound: a bus that is down costs events, not requests (R43, R80).
   */
  publish(topic: string, key: string, message: Buffer | string): Promise<Published>;
  subscribe(topic: string, audience: Audience, handler: BusHandler): Subscription;
  stats(): BusStats;
  /** Whether the bus can be reached now, for readiness and metrics. */
  isConnected(): boolean;
  /** Closes every subscription and flushes what was accepted. */
  close(): Promise<void>;
}
