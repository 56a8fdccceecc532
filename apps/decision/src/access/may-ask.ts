import { createHash, timingSafeEqual } from 'node:crypto';
import { problem, sendProblem } from '@sluice/platform';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** Whether a request comes from a service that may ask about any caller. */
export type MayAsk = (request: FastifyRequest) => boolean;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * With a token: whoever shows it, compared in constant time. Without: whoever is on this machine, by the peer of the socket. Behind
 * a proxy on this machine everybody is, so that such a setup needs the token.
 */
export function mayAsk(token: string | undefined): MayAsk {
  if (token === undefined) return (request) => isLoopback(request.raw.socket.remoteAddress ?? '');
  const expected = digest(token);
  return (request) => {
    const given = BEARER.exec(request.headers.authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

/** An `onRequest` hook that answers 401 to everybody else. */
export function askersOnly(may: MayAsk) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (may(request)) done();
    else sendProblem(reply, problem(401, { detail: 'Show the bearer token of this service (SLUICE_DECISION_TOKEN).' }), { 'WWW-Authenticate': 'Bearer realm="sluice"' });
  };
}

/** Digests are of one length, so that the comparison tells nothing of the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}
