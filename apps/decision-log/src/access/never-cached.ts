import type { FastifyInstance } from 'fastify';

/** What the API answers is one caller's, and of a moment: no cache keeps it, whether it is an answer or a problem. To be called after `guardRoutes`, so that routes carry their roles. */
export function neverCached(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.routeOptions.config.access !== undefined) reply.header('cache-control', 'no-store');
    done();
  });
}
