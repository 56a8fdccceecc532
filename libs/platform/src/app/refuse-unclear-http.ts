import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '../problem/problem.js';
import { sendProblem } from '../problem/send-problem.js';

/** Node answers a missing Host by itself, without a body; {@link refuseUnclearHttp} does it instead. For Fastify's `http`. */
export const OWN_HOST_CHECK = { requireHostHeader: false } as const;

/**
 * Answers with problem+json what node would answer without a body or not at all: no Host or more than one (400; RFC 9112, section 3.2),
 * and an expectation that is not 100-continue (417). Hooks that were added before it see such requests too, so that they are logged and limited as others are.
 */
export function refuseUnclearHttp(fastify: FastifyInstance): void {
  const odd = new WeakSet<IncomingMessage>();
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.headers.expect !== undefined && odd.has(request.raw)) return sendProblem(reply, problem(417, { detail: 'Only 100-continue can be expected.' }), { connection: 'close' });
    const hosts = countOf(request.raw.rawHeaders, 'host');
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) done();
    else sendProblem(reply, problem(400, { detail: hosts === 0 ? 'The field Host is missing.' : 'The field Host is there more than once.' }), { connection: 'close' });
  });
  fastify.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    odd.add(request);
    fastify.server.emit('request', request, response);
  });
}

/** How often a field is there; `rawHeaders` has names and values in turn. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at];
    if (field?.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}
