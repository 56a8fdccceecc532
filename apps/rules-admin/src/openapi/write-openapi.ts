import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { HealthChecks, InProcessBus, createLogger, createMetrics } from '@sluice/platform';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RulesAdminModule } from '../rules-admin.module.js';
import { buildDocument } from './build-document.js';

const FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** The document as text; nothing is connected, since Nest's preview makes no providers. */
async function documentText(): Promise<string> {
  const logger = createLogger({ app: 'openapi', level: 'silent' });
  const parts = {
    config: { databaseUrl: 'postgres://nowhere', tokens: [], migrateOnStart: false, host: '127.0.0.1', port: 0 },
    bus: new InProcessBus(logger),
    logger,
    health: new HealthChecks(),
    metrics: createMetrics({ app: 'openapi', process: false }),
  };
  const app = await NestFactory.create(RulesAdminModule.with(parts), new FastifyAdapter(), { preview: true, logger: false, abortOnError: false });
  const text = `${JSON.stringify(buildDocument(app), null, 2)}\n`;
  await app.close();
  return text;
}

/** Writes `openapi.json`, or with `--check` fails when the committed one is not what the code says (R63). */
async function main(): Promise<void> {
  const text = await documentText();
  if (!process.argv.includes('--check')) {
    await writeFile(FILE, text);
    return;
  }
  const committed = await readFile(FILE, 'utf8').catch(() => '');
  if (committed === text) return;
  process.stderr.write('openapi.json is not what the code says: run npm run openapi:write -w @sluice-app/rules-admin and commit it.\n');
  process.exitCode = 1;
}

await main();
