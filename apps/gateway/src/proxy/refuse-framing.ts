import { problem, sendProblem } from '@sluice/platform';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isTransferCoded } from './transfer-coding.js';

/** An `onRequest` hook for what the gateway cannot frame: a tunnel to elsewhere (405), and bodies in codings other than chunked (501; RFC 9112, section 6.1). */
export function refuseFraming(methods: readonly string[]) {
  const allow = methods.join(', ');

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (isTransferCoded(request.headers['transfer-encoding'])) sendProblem(reply, problem(501, { detail: 'The only transfer coding that the gateway knows is chunked.' }), { connection: 'close' });
    else if (request.method === 'CONNECT') sendProblem(reply, problem(405, { detail: `The gateway knows ${allow}.` }), { Allow: allow });
    else done();
  };
}
