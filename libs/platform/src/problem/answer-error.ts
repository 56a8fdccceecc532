import type { FastifyReply } from 'fastify';
import { sendProblem } from './send-problem.js';
import { type ProblemTranslator, toProblem } from './to-problem.js';

/** Answers any error with problem+json; faults of the service are logged whole under the request's id and told to nobody. */
export function answerError(error: unknown, reply: FastifyReply, translators: readonly ProblemTranslator[]): void {
  const { problem, headers } = toProblem(error, translators, reply.request.method);
  if (problem.status >= 500) reply.request.log.error({ err: error }, 'request failed');
  if (!reply.sent) sendProblem(reply, problem, headers);
}
