import { loadConfig, runMain } from '@sluice/platform';
import { runNodeProcess } from '@sluice/rules-node';
import { GATEWAY_PROCESS_CONFIG } from './config/gateway-config.js';
import { createGateway } from './create-gateway.js';

runMain(async () => {
  const config = loadConfig(GATEWAY_PROCESS_CONFIG, process.env);
  const { service, logger } = await runNodeProcess('gateway', config, (parts) => createGateway({ config, ...parts }));
  logger.info({ url: service.url, ops_url: service.opsUrl }, 'listening');
});
