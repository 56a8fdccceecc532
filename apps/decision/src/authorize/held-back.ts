import type { FastifyReply } from 'fastify';

/** setTimeout takes no more, and fires at once instead (known failure 43). */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Answers after the delay that a shaper asks for: the proxy waits, and so does the client. At once when there is none. */
export function heldBack(reply: FastifyReply, delayMs: number, send: () => FastifyReply): FastifyReply | Promise<FastifyReply> {
  if (delayMs <= 0) return send();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(send()), Math.min(delayMs, MAX_TIMEOUT_MS));
    // The proxy hung up: nobody is left to answer, and what is sent goes nowhere.
    reply.raw.once('close', () => {
      clearTimeout(timer);
      resolve(reply);
    });
  });
}
