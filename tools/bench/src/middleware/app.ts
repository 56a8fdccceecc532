import { rateLimit as expressRateLimit } from '@sluice/middleware/express';
import { rateLimit as fastifyRateLimit } from '@sluice/middleware/fastify';
import express from 'express';
import { fastify } from 'fastify';
import type { Variant } from './app-variants.js';
import { writeFixedFields } from './fixed-fields.js';
import { KEY_HEADER, localLimiter } from './local-limiter.js';
import type { Handler } from './request-loop.js';

export const FRAMEWORKS = ['express', 'fastify'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

const ROUTE = '/v1/items/:id';

/** One route that answers 204. */
export function buildApp(framework: Framework, variant: Variant): Promise<Handler> {
  return framework === 'express' ? expressApp(variant) : fastifyApp(variant);
}

async function expressApp(variant: Variant): Promise<Handler> {
  const app = express();
  if (variant === 'limited') app.use(expressRateLimit({ limiter: localLimiter(), key: (request) => request.get(KEY_HEADER) }));
  if (variant === 'fields') {
    app.use((request, response, next) => {
      writeFixedFields(request, response);
      next();
    });
  }
  app.get(ROUTE, (_request, response) => void response.status(204).end());
  return app;
}

async function fastifyApp(variant: Variant): Promise<Handler> {
  const app = fastify();
  if (variant === 'limited') {
    await app.register(fastifyRateLimit, { limiter: localLimiter(), key: (request) => textOf(request.headers[KEY_HEADER]) });
  }
  if (variant === 'fields') {
    app.addHook('onRequest', (request, reply, done) => {
      writeFixedFields(request.raw, reply.raw);
      done();
    });
  }
  app.get(ROUTE, (_request, reply) => void reply.code(204).send());
  await app.ready();
  return (request, response) => app.routing(request, response);
}

function textOf(field: string | string[] | undefined): string | undefined {
  return Array.isArray(field) ? field[0] : field;
}
