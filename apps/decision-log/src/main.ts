import { createLogger, loadConfig, openBus, runMain, stopOnSignal } from '@sluice/platform';
import { DECISION_LOG_PROCESS_CONFIG } from './config/decision-log-config.js';
import { createDecisionLog } from './create-decision-log.js';
import { openDecisionStore } from './store/open-decision-store.js';

runMain(async () => {
  const config = loadConfig(DECISION_LOG_PROCESS_CONFIG, process.env);
  const logger = createLogger({ app: 'decision-log', level: config.logLevel });
  const store = await openDecisionStore(config, logger);
  const bus = openBus(config.kafkaBrokers, 'sluice-decision-log', logger);
  const service = await createDecisionLog({ config, store, bus, logger, processMetrics: true });
  stopOnSignal({
    logger,
    close: async () => {
      await service.close();
      await bus.close();
      await store.close();
    },
  });
  logger.info({ url: service.url }, 'listening');
});
