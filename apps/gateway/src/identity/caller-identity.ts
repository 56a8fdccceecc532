import type { Caller, KeyDirectory, KeyLookup } from '@sluice/middleware';
import { problem, problemType, sendProblem } from '@sluice/platform';
import type { NodeStream } from '@sluice/rules-node';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the request is from; `undefined` for a CORS preflight, which carries no key. */
    caller: Caller | undefined;
  }
}

const CHALLENGE = 'ApiKey realm="sluice"';

/**
 * An `onRequest` hook that names the caller by `X-Api-Key`, and by nothing else that a client sends (R77). 401 without a key
 * that is good, told to the stream (R84), 503 when that cannot be known. A remembered key costs no promise.
 */
export function callerIdentity(keys: KeyDirectory, stream: NodeStream | undefined) {
  function settle(found: KeyLookup, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (found.kind === 'known') {
      request.caller = found.caller;
      done();
    } else if (found.kind === 'unavailable') {
      const detail = 'The API key cannot be looked up at the moment.';
      sendProblem(reply, problem(503, { detail }), { 'Retry-After': String(Math.ceil(found.retryAfterMs / 1000)) });
    } else {
      stream?.noteUnauthenticated('unknown_credentials', { endpoint: request.endpoint, ip: request.client.address });
      // Whether a key is unknown or disabled is nobody's business but its owner's.
      refuse(reply, 'invalid-api-key', 'The API key is not valid.');
    }
  }

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (isPreflight(request)) return done();
    const apiKey = request.headers['x-api-key'];
    if (typeof apiKey !== 'string' || apiKey === '') {
      stream?.noteUnauthenticated('no_credentials', { endpoint: request.endpoint, ip: request.client.address });
      refuse(reply, 'missing-api-key', 'Name yourself by an API key in the field X-Api-Key.');
      return;
    }
    const found = keys.lookup(apiKey);
    if (found instanceof Promise) found.then((late) => settle(late, request, reply, done)).catch(done);
    else settle(found, request, reply, done);
  };
}

/** What a browser asks before it sends the request proper (Fetch standard, CORS-preflight); it cannot carry a key. */
export function isPreflight({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

function refuse(reply: FastifyReply, slug: string, detail: string): void {
  sendProblem(reply, problem(401, { type: problemType(slug), title: 'Unauthorized', detail }), { 'WWW-Authenticate': CHALLENGE });
}
