import type { FastifyInstance } from 'fastify';
import type { HealthChecks } from '../health/health-checks.js';
import { bodyFault } from '../problem/body-fault.js';
import { invalidRequest } from '../problem/invalid-request.js';
import { parseJsonStrictly } from '../problem/parse-json-strictly.js';
import { problem } from '../problem/problem.js';
import type { RouteTable } from '../problem/route-table.js';
import { sendProblem } from '../problem/send-problem.js';

/**
 * Refuses what no handler should see: requests on a kept-alive connection while the app stops (503, connection closed), methods
 * that a path does not have (405), bodies that are not JSON (415), not UTF-8 or nest too deep (400).
 */
export function guardRequests(fastify: FastifyInstance, { health, routes }: { readonly health: HealthChecks; readonly routes: RouteTable }): void {
  fastify.removeContentTypeParser('text/plain');
  parseJsonStrictly(fastify);

  // Hooks that call back: an async one costs every request a turn of the microtasks.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (health.isClosing && !isProbe(request.url)) {
      sendProblem(reply, problem(503, { detail: 'The service is stopping; try again.' }), { 'retry-after': '1' });
      return;
    }
    if (!request.is404) {
      done();
      return;
    }
    const allowed = routes.methodsAt(request.url.split('?', 1)[0] ?? '');
    if (allowed.length > 0) sendProblem(reply, problem(405, { detail: `This path answers to ${allowed.join(', ')}.` }), { allow: allowed.join(', ') });
    else sendProblem(reply, problem(404, { detail: 'There is nothing at this path.' }));
  });

  fastify.addHook('preValidation', (request, reply, done) => {
    const fault = bodyFault(request.body);
    if (fault === undefined) done();
    else sendProblem(reply, invalidRequest([fault]));
  });

  // Answered while stopping: without this the connection stays open, and the stop waits for the client to tire of it.
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (health.isClosing) reply.header('connection', 'close');
    done();
  });
}

function isProbe(url: string): boolean {
  return url === '/healthz' || url === '/readyz' || url === '/metrics';
}
