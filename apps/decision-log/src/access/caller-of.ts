import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.js';

const callers = new WeakMap<FastifyRequest['raw'], Caller>();

/** Notes who a request that was let in comes from. */
export function noteCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request.raw, caller);
}

/**
 * Who asks.
 *
 * @throws Error for a request that no door let in, which is a fault and must open nothing
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request.raw);
  if (caller === undefined) throw new Error('Nobody knows who asks: the request did not pass the door.');
  return caller;
}
