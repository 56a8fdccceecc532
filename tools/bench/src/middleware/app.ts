import type { Decider } from '@sluice/middleware';
import { rateLimit as expressRateLimit } from '@sluice/middleware/express';
import { rateLimit as fastifyRateLimit } from '@sluice/middleware/fastify';
import express from 'express';
import { fastify } from 'fastify';
import { KEY_HEADER } from './local-limiter.js';
import type { Handler } from './request-loop.js';

export const FRAMEWORKS = ['express', 'fastify'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

const ROUTE = '/v1/items/:id';

/** One route that answers 204; with a limiter, behind the skin. */
export function buildApp(framework: Framework, limiter: Decider | undefined): Promise<Handler> {
  return framework === 'express' ? expressApp(limiter) : fastifyApp(limiter);
}

async function expressApp(limiter: Decider | undefined): Promise<Handler> {
  const app = express();
  if (limiter !== undefined) app.use(expressRateLimit({ limiter, key: (request) => request.get(KEY_HEADER) }));
  app.get(ROUTE, (_request, response) => void response.status(204).end());
  return app;
}

async function fastifyApp(limiter: Decider | undefined): Promise<Handler> {
  const app = fastify();
  if (limiter !== undefined) {
    await app.register(fastifyRateLimit, { limiter, key: (request) => textOf(request.headers[KEY_HEADER]) });
  }
  app.get(ROUTE, (_request, reply) => void reply.code(204).send());
  await app.ready();
  return (request, response) => app.routing(request, response);
}

function textOf(field: string | string[] | undefined): string | undefined {
  return Array.isArray(field) ? field[0] : field;
}
