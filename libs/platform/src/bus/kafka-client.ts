import { Kafka, logLevel } from 'kafkajs';
import type { Logger } from 'pino';
import { useZstd } from './zstd-codec.js';

/** How to reach Kafka. */
export interface KafkaOptions {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly logger: Logger;
  /** How long a request may take. Default 5,000 ms. */
  readonly requestTimeoutMs?: number;
}

/** A kafkajs client that gives up soon: whoever uses it retries by itself and says so once, where kafkajs would log each attempt as an error. */
export function kafkaClient({ brokers, clientId, logger, requestTimeoutMs = 5_000 }: KafkaOptions): Kafka {
  useZstd();
  const child = logger.child({ component: 'kafkajs' });
  return new Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: 1_000,
    requestTimeout: requestTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 2 },
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => {
      child.debug({ namespace: entry.namespace, broker: entry.log['broker'], error: entry.log['error'] }, entry.log.message);
    },
  });
}
