import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createLogger, createMetrics, HealthChecks, InProcessBus, writeDocument } from '@sluice/platform';
import { fileURLToPath } from 'node:url';
import { RulesAdminModule } from '../rules-admin.module.js';
import { buildDocument } from './build-document.js';

const FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** Nothing is connected, since Nest's preview makes no providers. */
async function document(): Promise<object> {
  const logger = createLogger({ app: 'openapi', level: 'silent' });
  const parts = {
    config: { databaseUrl: 'postgres://nowhere', tokens: [], migrateOnStart: false, host: '127.0.0.1', port: 0 },
    bus: new InProcessBus(logger),
    logger,
    health: new HealthChecks(),
    metrics: createMetrics({ app: 'openapi', process: false }),
  };
  const app = await NestFactory.create(RulesAdminModule.with(parts), new FastifyAdapter(), { preview: true, logger: false, abortOnError: false });
  const built = buildDocument(app);
  await app.close();
  return built;
}

await writeDocument(FILE, await document(), '@sluice-app/rules-admin');
