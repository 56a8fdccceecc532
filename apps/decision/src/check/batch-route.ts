import { invalidRequest, sendProblem } from '@sluice/platform';
import type { FastifyInstance } from 'fastify';
import { parseBatchRequest } from './batch-request.js';
import type { CheckRouteOptions } from './check-route.js';
import { decide, type Decided } from './decide.js';
import { sendText } from './send-text.js';

/** Largest body of a batch in bytes; more is 413. */
export const BATCH_BODY_LIMIT = 1024 * 1024;

/**
 * `POST /v1/ratelimit:batch`: up to 1,000 checks, each decided by itself, in their order. All are asked before any is waited for, so that
 * those which need the store share a trip (R22). No fields of R70: they would be those of one of them.
 */
export function addBatchRoute(fastify: FastifyInstance, options: CheckRouteOptions): void {
  fastify.post('/v1/ratelimit::batch', { onRequest: [...options.guards], bodyLimit: BATCH_BODY_LIMIT }, (request, reply): Promise<void> | undefined => {
    const parsed = parseBatchRequest(request.body);
    if (!parsed.ok) {
      sendProblem(reply, invalidRequest(parsed.faults));
      return undefined;
    }
    const send = (all: readonly Decided[]): void => sendText(reply, { text: `{"answers":[${all.map(({ text }) => text).join(',')}]}`, fields: {} }, options.stopping());
    const decided = parsed.checks.map((check) => decide(options, check));
    const atOnce = decided.filter((one): one is Decided => !(one instanceof Promise));
    if (atOnce.length < decided.length) return Promise.all(decided).then(send);
    send(atOnce);
    return undefined;
  });
}
