import type { FastifyInstance } from 'fastify';
import type { Logger } from './create-logger.js';
import { REQUEST_ID_HEADER } from './request-id.js';
import { routeLabel } from './route-label.js';

/** Emits the request's id, and writes one line for each answer: faults as errors, the rest at debug, so that load does not flood the log. */
export function logRequests(fastify: FastifyInstance, logger: Pick<Logger, 'isLevelEnabled'>): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode < 500 && !logger.isLevelEnabled('debug')) {
      done();
      return;
    }
    const { url } = request.routeOptions;
    // A probe that finds the app not ready is no fault of the answer; the check that failed has said so.
    const level = reply.statusCode >= 500 && url !== '/readyz' ? 'error' : 'debug';
    request.log[level]({ method: request.method, route: routeLabel(url), status: reply.statusCode, duration_ms: Math.round(reply.elapsedTime) }, 'request answered');
    done();
  });
}
