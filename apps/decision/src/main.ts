import { hostname } from 'node:os';
import { redisStore } from '@sluice/limiter';
import { ConfigError, createLogger, type EventBus, InProcessBus, KafkaBus, loadConfig, type Logger, stopOnSignal } from '@sluice/platform';
import { DECISION_PROCESS_CONFIG } from './config/decision-config.js';
import { createDecision } from './create-decision.js';

/** Without Kafka there is no push between processes, and the poll has to do. */
function createBus(brokers: readonly string[] | undefined, nodeId: string, logger: Logger): EventBus {
  return brokers === undefined ? new InProcessBus(logger) : new KafkaBus({ brokers, clientId: `sluice-decision-${nodeId}`, logger });
}

async function main(): Promise<void> {
  const config = loadConfig(DECISION_PROCESS_CONFIG, process.env);
  const nodeId = config.nodeId ?? `${hostname()}-${process.pid}`;
  const logger = createLogger({ app: 'decision', level: config.logLevel }).child({ node_id: nodeId, region: config.region });
  const store = redisStore({ url: config.redisUrls.join(','), onError: (error) => logger.warn({ err: error }, 'counter store') });
  const bus = createBus(config.kafkaBrokers, nodeId, logger);
  const decision = await createDecision({ config, store, bus, logger, processMetrics: true });
  stopOnSignal({
    logger,
    close: async () => {
      await decision.close();
      await bus.close();
      await store.close();
    },
  });
  logger.info({ url: decision.url }, 'listening');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
