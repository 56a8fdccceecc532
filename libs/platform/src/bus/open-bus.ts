import type { Logger } from 'pino';
import type { EventBus } from './event-bus.js';
import { InProcessBus } from './in-process-bus.js';
import { KafkaBus } from './kafka-bus.js';

/** The bus that the environment names: Kafka, or without brokers one that reaches no other process. */
export function openBus(brokers: readonly string[] | undefined, clientId: string, logger: Logger): EventBus {
  return brokers === undefined ? new InProcessBus(logger) : new KafkaBus({ brokers, clientId, logger });
}
