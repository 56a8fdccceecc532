import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CounterStore } from '@sluice/limiter';
import { createLogger, type EventBus, type Logger, openBus, stopOnSignal } from '@sluice/platform';
import type { NodeProcessConfig } from './node-config.js';
import { openRedisStore } from './open-redis-store.js';
import { refuseStreamWithoutBrokers } from './stream/refuse-stream-without-brokers.js';
import { type StreamParts, streamParts } from './stream/stream-parts.js';

/** A server that hangs does not hold up the stop (R44). */
const HANGS_MS = 500;

/** What a process gives a node's service to run on. */
export interface NodeProcessParts {
  readonly store: CounterStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly processMetrics: true;
  readonly stream: StreamParts | undefined;
}

/** A service of a node. */
export interface NodeService {
  close(): Promise<void>;
}

/**
 * Runs one service of a node as a process: counters in Redis, the bus on Kafka if brokers are named (else the poll has to do, and nothing is
 * sent of what is decided), and a stop on SIGTERM that ends the service before what it stands on (R44).
 *
 * @throws ConfigError for a stream without brokers
 */
export async function runNodeProcess<S extends NodeService>(
  app: string,
  config: NodeProcessConfig,
  create: (parts: NodeProcessParts) => Promise<S>,
): Promise<{ readonly service: S; readonly logger: Logger }> {
  refuseStreamWithoutBrokers(config);
  const nodeId = config.nodeId ?? `${hostname()}-${process.pid}`;
  const logger = createLogger({ app, level: config.logLevel }).child({ node_id: nodeId, region: config.region });
  const store = await openRedisStore(config.redisUrls, logger);
  const bus = openBus(config.kafkaBrokers, `sluice-${app}-${nodeId}`, logger);
  const stream = config.kafkaBrokers === undefined ? undefined : streamParts(config, { bus, region: config.region, nodeId });
  const service = await create({ store, bus, logger, processMetrics: true, stream });
  stopOnSignal({
    logger,
    close: async () => {
      await service.close();
      // Nothing is in either that anybody waits for: leases are back, and what the stream could not send it has counted.
      await Promise.race([Promise.all([bus.close(), store.close()]), sleep(HANGS_MS)]);
    },
  });
  return { service, logger };
}
