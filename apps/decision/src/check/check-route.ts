import type { Decision, Limiter } from '@sluice/limiter';
import { rateLimitHeaders } from '@sluice/middleware';
import { invalidRequest, sendProblem } from '@sluice/platform';
import type { ObserveDecision } from '@sluice/rules-node';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { checkAnswer } from './check-answer.js';
import { parseCheckRequest } from './check-request.js';

export interface CheckRouteOptions {
  readonly limiter: Pick<Limiter, 'check' | 'peek'>;
  readonly observe: ObserveDecision;
  /** What must hold before a request is read. */
  readonly guards: readonly onRequestHookHandler[];
}

/**
 * `POST /v1/ratelimit:check` (R72) as a raw Fastify route, since every request of somebody's API waits for it. 200 for OK and
 * OVER_LIMIT alike: the check itself succeeded, and the answer is in the body. The fields of R70 are there for whoever passes
 * them on. When every permit is at hand there is no promise between request and answer.
 */
export function addCheckRoute(fastify: FastifyInstance, { limiter, observe, guards }: CheckRouteOptions): void {
  fastify.post('/v1/ratelimit::check', { onRequest: [...guards] }, (request, reply) => {
    const parsed = parseCheckRequest(request.body);
    if (!parsed.ok) return sendProblem(reply, invalidRequest(parsed.faults));
    const { attributes, cost, peek } = parsed.request;
    const startedMs = performance.now();
    const decision = peek ? limiter.peek(attributes, cost) : limiter.check(attributes, cost);
    const answer = (decided: Decision): FastifyReply => {
      if (!peek) observe(decided, (performance.now() - startedMs) / 1000);
      return reply
        .headers({ ...rateLimitHeaders(decided), 'Cache-Control': 'no-store' })
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(checkAnswer(decided)));
    };
    return decision instanceof Promise ? decision.then(answer) : answer(decision);
  });
}
