import cluster from 'node:cluster';
import { createLogger, loadConfig, runMain } from '@sluice/platform';
import { refuseStreamWithoutBrokers, runNodeProcess } from '@sluice/rules-node';
import { removeStaleSocket } from './access/listen-on-socket.js';
import { tlsFilesOf } from './access/tls-files.js';
import { DECISION_PROCESS_CONFIG, type DecisionProcessConfig } from './config/decision-config.js';
import { createDecision } from './create-decision.js';
import { runProcesses } from './processes/run-processes.js';

runMain(async () => {
  const config = loadConfig(DECISION_PROCESS_CONFIG, process.env);
  if (config.processes > 1 && cluster.isPrimary) return runPrimary(config);
  const { service, logger } = await runNodeProcess('decision', config, (parts) => createDecision({ config, ...parts }));
  logger.info({ url: service.url }, 'listening');
});

/** What all processes would find wrong is said once. */
async function runPrimary(config: DecisionProcessConfig): Promise<void> {
  tlsFilesOf(config);
  refuseStreamWithoutBrokers(config);
  if (config.socketPath !== undefined) await removeStaleSocket(config.socketPath);
  const logger = createLogger({ app: 'decision', level: config.logLevel }).child({ region: config.region });
  await runProcesses({ count: config.processes, nodeId: config.nodeId, logger });
}
