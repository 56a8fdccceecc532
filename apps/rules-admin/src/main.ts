import { createLogger, openBus, runMain, stopOnSignal } from '@sluice/platform';
import { loadEnvironment, rulesAdminConfig } from './config.js';
import { createRulesAdmin } from './create-rules-admin.js';

runMain(async () => {
  const environment = loadEnvironment(process.env);
  const logger = createLogger({ app: 'rules-admin', level: environment.logLevel });
  // Without Kafka the nodes poll; there is no bus that would reach them.
  const bus = openBus(environment.kafkaBrokers, 'sluice-rules-admin', logger);
  const admin = await createRulesAdmin({ config: rulesAdminConfig(environment), bus, logger });
  stopOnSignal({
    logger,
    close: async () => {
      await admin.close();
      await bus.close();
    },
  });
  logger.info({ url: await admin.listen() }, 'listening');
});
