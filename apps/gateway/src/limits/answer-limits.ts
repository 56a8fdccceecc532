import type { Limiter } from '@sluice/limiter';
import { limitsAnswer } from '@sluice/middleware';
import { problem, sendProblem } from '@sluice/platform';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { attributesOf } from '../limit/passes.js';

/**
 * An `onRequest` hook that answers `GET` at the path with the caller's own limits (R71), by a peek: nothing is charged to the caller. `endpoint` in the query
 * says which requests are meant; without it limits of endpoints are left out.
 */
export function answerLimits(path: string, limiter: Pick<Limiter, 'peek'>) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (request.endpoint !== `GET ${path}`) return done();
    const { endpoint } = request.query as { readonly endpoint?: unknown };
    if (endpoint !== undefined && (typeof endpoint !== 'string' || endpoint === '' || endpoint.length > 1024)) {
      sendProblem(reply, problem(400, { detail: 'The query parameter endpoint must be there once, with 1 to 1024 characters.' }));
      return;
    }
    limiter
      .peek({ ...attributesOf(request), endpoint })
      .then((decision) => reply.header('Cache-Control', 'no-store').send(limitsAnswer(decision)))
      .catch(done);
  };
}
