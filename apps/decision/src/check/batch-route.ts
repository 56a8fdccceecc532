import { invalidRequest, sendProblem } from '@sluice/platform';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseBatchRequest } from './batch-request.js';
import type { CheckRouteOptions } from './check-route.js';
import { decide, type Decided } from './decide.js';

/** Largest body of a batch in bytes; more is 413. */
export const BATCH_BODY_LIMIT = 1024 * 1024;
const HEADERS = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' } as const;

/**
 * `POST /v1/ratelimit:batch`: up to 1,000 checks, each decided by itself, in their order. All are asked before any is waited for, so that
 * those which need the store share a trip (R22). No fields of R70: they would be those of one of them.
 */
export function addBatchRoute(fastify: FastifyInstance, options: CheckRouteOptions): void {
  fastify.post('/v1/ratelimit::batch', { onRequest: [...options.guards], bodyLimit: BATCH_BODY_LIMIT }, (request, reply) => {
    const parsed = parseBatchRequest(request.body);
    if (!parsed.ok) return sendProblem(reply, invalidRequest(parsed.faults));
    const decided = parsed.checks.map((check) => decide(options, check));
    const atOnce = decided.filter((one): one is Decided => !(one instanceof Promise));
    return atOnce.length === decided.length ? send(reply, atOnce) : Promise.all(decided).then((all) => send(reply, all));
  });
}

function send(reply: FastifyReply, decided: readonly Decided[]): FastifyReply {
  return reply.headers(HEADERS).send(`{"answers":[${decided.map(({ text }) => text).join(',')}]}`);
}
