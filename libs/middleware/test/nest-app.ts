import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLimiter, type Limiter, memoryStore } from '@sluice/limiter';
import { compileSnapshot, validateSnapshot } from '@sluice/rules';

export const PLATFORMS = ['Express', 'Fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** What goes wrong at the start is thrown, not the end of the process. */
const QUIET = { logger: false, abortOnError: false } as const;

@Module({})
class Root {}

/** A Nest app of these parts that listens. */
export async function startNest(platform: Platform, parts: Omit<DynamicModule, 'module'>, setUp: (app: INestApplication) => void = () => undefined, socketPath?: string): Promise<{ app: INestApplication; url: string }> {
  const root = { module: Root, ...parts };
  const fastify = platform === 'Fastify' ? await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), QUIET) : undefined;
  const app = fastify ?? (await NestFactory.create(root, new ExpressAdapter(), QUIET));
  setUp(app);
  if (socketPath === undefined) await app.listen(0, '127.0.0.1');
  else if (fastify === undefined) await app.listen(socketPath);
  else await fastify.listen({ path: socketPath });
  return { app, url: socketPath ?? (await app.getUrl()) };
}

/** An engine with these rules, counters in memory. */
export function limiterOf(...rules: readonly object[]): Limiter {
  const snapshot = validateSnapshot({ version: 1, plans: [], rules: rules.map((rule, at) => ({ rule_id: `rule-${at}`, version: 1, ...rule })), overrides: [] });
  if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.faults));
  return createLimiter({ store: memoryStore(), rules: compileSnapshot(snapshot.value) });
}
