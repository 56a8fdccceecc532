import type { Logger } from 'pino';
import type { BusCounts } from './bus-counts.js';
import type { BusHandler, BusMessage } from './event-bus.js';

/** Calls of a handler for one message before it is given up. */
export const MAX_DELIVERIES = 3;

/** What a delivery needs beside the message. */
export interface Delivery {
  readonly handler: BusHandler;
  readonly counts: BusCounts;
  readonly logger: Logger;
  /** Takes a message that no call could handle; absent for a broadcast. */
  readonly deadLetter: ((message: BusMessage) => Promise<void>) | undefined;
}

/** Hands a message to its handler as {@link BusHandler} promises; never throws unless the dead letter itself does. */
export async function deliver(message: BusMessage, { handler, counts, logger, deadLetter }: Delivery): Promise<void> {
  for (let call = 1; call <= MAX_DELIVERIES; call += 1) {
    try {
      await handler(message);
      counts.add('handled');
      return;
    } catch (error) {
      logger.warn({ err: error, topic: message.topic, call }, 'event handler failed');
    }
  }
  counts.add('failed');
  await deadLetter?.(message);
}
