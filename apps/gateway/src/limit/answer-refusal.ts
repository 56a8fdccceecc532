import type { Decision } from '@sluice/limiter';
import { denialProblem, PROBLEM_CONTENT_TYPE, rateLimitHeaders } from '@sluice/middleware';
import type { FastifyReply } from 'fastify';

/** Answers with the fields and the problem of a refusal (R70): 429, or 503 where the store is away and the rule refuses (R41). */
export function answerRefusal(reply: FastifyReply, decision: Decision): void {
  const problem = denialProblem(decision);
  reply
    .code(problem.status)
    .headers(rateLimitHeaders(decision))
    .header('Content-Type', PROBLEM_CONTENT_TYPE)
    .send(JSON.stringify({ ...problem, request_id: reply.request.id }));
}
