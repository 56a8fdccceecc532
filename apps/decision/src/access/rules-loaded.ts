import { problem, sendProblem } from '@sluice/platform';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** An `onRequest` hook: without rules every request would pass, silently; 503 until the first snapshot is there. */
export function rulesLoaded(hasRules: () => boolean) {
  return (_request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (hasRules()) done();
    else sendProblem(reply, problem(503, { detail: 'The rules are not loaded yet; try again.' }), { 'Retry-After': '1' });
  };
}
