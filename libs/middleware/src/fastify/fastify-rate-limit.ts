import type { Decision, Limiter } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { decisionOf, rememberDecision } from '../decision-of.js';
import { denialProblem, PROBLEM_CONTENT_TYPE } from '../denial-problem.js';
import { rateLimitHeaders } from '../rate-limit-headers.js';

/** setTimeout takes no more, and fires at once instead (known failure 43). */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface FastifyRateLimitOptions {
  readonly limiter: Pick<Limiter, 'check'>;
  /** What is known of the request. Never from a field that a client can forge (R77); see `clientAddress` for `ip`. */
  readonly attributes: (request: FastifyRequest) => RequestAttributes;
  /** Permits that the request takes; default 1. */
  readonly cost?: (request: FastifyRequest) => number;
  /** Requests that are not counted; default every OPTIONS, so that a CORS preflight costs nothing (known failure 73). */
  readonly skip?: (request: FastifyRequest) => boolean;
  /** Sees each decision, and the seconds that it took, before it is acted on; for metrics. Must not throw. */
  readonly observe?: (decision: Decision, seconds: number, request: FastifyRequest) => void;
}

/**
 * The Fastify skin: an `onRequest` hook for an instance or one route. Register it after CORS and after what names the caller.
 * It writes the fields of R70, answers a refusal with problem+json, and holds a shaped request back for its delay. When every
 * permit is at hand it runs in the same tick, without a promise.
 */
export function fastifyRateLimit(options: FastifyRateLimitOptions) {
  const { limiter, attributes, cost = () => 1, skip = (request) => request.method === 'OPTIONS', observe } = options;

  function act(decision: Decision, startedMs: number, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    rememberDecision(request.raw, decision);
    observe?.(decision, (performance.now() - startedMs) / 1000, request);
    reply.headers(rateLimitHeaders(decision));
    if (!decision.allowed) {
      const problem = denialProblem(decision);
      reply.code(problem.status).header('Content-Type', PROBLEM_CONTENT_TYPE).send(JSON.stringify(problem));
    } else if (decision.delayMs > 0) {
      const timer = setTimeout(done, Math.min(decision.delayMs, MAX_TIMEOUT_MS));
      // The client hung up while it was held back: nothing is left to do.
      reply.raw.once('close', () => clearTimeout(timer));
    } else {
      done();
    }
  }

  return function rateLimit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (skip(request) || decisionOf(request.raw) !== undefined) return done();
    const startedMs = performance.now();
    const decision = limiter.check(attributes(request), cost(request));
    if (decision instanceof Promise) decision.then((late) => act(late, startedMs, request, reply, done)).catch(done);
    else act(decision, startedMs, request, reply, done);
  };
}
