import type { FastifyReply } from 'fastify';
import { REQUEST_ID_HEADER } from '../logging/request-id.js';
import type { Problem } from './problem.js';

/** The media type of RFC 9457. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/**
 * Answers with a problem, from Nest or from a raw Fastify route. It carries the request's id, so that a client can quote what the
 * log holds, and no cache may keep it.
 */
export function sendProblem(reply: FastifyReply, problem: Problem, headers: Readonly<Record<string, string>> = {}): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', [REQUEST_ID_HEADER]: reply.request.id, ...headers })
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify({ ...problem, request_id: reply.request.id }));
}
