import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createLogger, createMetrics, HealthChecks, InProcessBus, loadConfig, writeDocument } from '@sluice/platform';
import { fileURLToPath } from 'node:url';
import { NO_ABUSE_RULES } from '../abuse/pattern.js';
import { DECISION_LOG_CONFIG } from '../config/decision-log-config.js';
import { DecisionLogModule } from '../decision-log.module.js';
import { buildDocument } from './build-document.js';
import { NO_STORE } from './no-store.js';

const FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** Nothing is connected, since Nest's preview makes no providers. */
async function document(): Promise<object> {
  const logger = createLogger({ app: 'openapi', level: 'silent' });
  const parts = {
    config: loadConfig(DECISION_LOG_CONFIG, { SLUICE_ADMIN_URL: 'http://nowhere', SLUICE_ADMIN_TOKEN: 'no-token' }),
    abuseRules: NO_ABUSE_RULES,
    store: NO_STORE,
    bus: new InProcessBus(logger),
    logger,
    health: new HealthChecks(),
    metrics: createMetrics({ app: 'openapi', process: false }),
  };
  const app = await NestFactory.create(DecisionLogModule.with(parts), new FastifyAdapter(), { preview: true, logger: false, abortOnError: false });
  const built = buildDocument(app);
  await app.close();
  return built;
}

await writeDocument(FILE, await document(), '@sluice-app/decision-log');
