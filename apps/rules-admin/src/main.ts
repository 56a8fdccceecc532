import { ConfigError, createLogger, type EventBus, InProcessBus, KafkaBus, type Logger, stopOnSignal } from '@sluice/platform';
import { loadEnvironment, rulesAdminConfig } from './config.js';
import { createRulesAdmin } from './create-rules-admin.js';

/** Without Kafka the nodes poll; there is no bus that would reach them. */
function createBus(brokers: readonly string[] | undefined, logger: Logger): EventBus {
  return brokers === undefined ? new InProcessBus(logger) : new KafkaBus({ brokers, clientId: 'sluice-rules-admin', logger });
}

async function main(): Promise<void> {
  const environment = loadEnvironment(process.env);
  const logger = createLogger({ app: 'rules-admin', level: environment.logLevel });
  const bus = createBus(environment.kafkaBrokers, logger);
  const admin = await createRulesAdmin({ config: rulesAdminConfig(environment), bus, logger });
  stopOnSignal({
    logger,
    close: async () => {
      await admin.close();
      await bus.close();
    },
  });
  logger.info({ url: await admin.listen() }, 'listening');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
