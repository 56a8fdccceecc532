import { loadConfig, runMain } from '@sluice/platform';
import { runNodeProcess } from '@sluice/rules-node';
import { DECISION_PROCESS_CONFIG } from './config/decision-config.js';
import { createDecision } from './create-decision.js';

runMain(async () => {
  const config = loadConfig(DECISION_PROCESS_CONFIG, process.env);
  const { service, logger } = await runNodeProcess('decision', config, (parts) => createDecision({ config, ...parts }));
  logger.info({ url: service.url }, 'listening');
});
