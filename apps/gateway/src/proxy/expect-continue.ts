import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

/** Sends requests whose client waits for `100 Continue` through the hooks of every other: node would say it before any of them is asked. */
export function routeExpectations(fastify: FastifyInstance): void {
  fastify.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    fastify.server.emit('request', request, response);
  });
}

/** The body is wanted now; says so to a client that waits for it. */
export function wantBody(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}
