import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { RequestAttributes } from '@sluice/rules';
import type { SkinOptions } from '../skin-options.js';
import { type NamesOf, requireKnown } from '../options/require-known.js';
import { Skin } from '../skin/create-skin.js';
import { Warnings } from '../skin/warnings.js';
import { fastifyAdapter } from './fastify-adapter.js';

/** What every skin takes, but for what makes the attributes: those are the caller's. */
export interface FastifyRateLimitOptions extends Omit<SkinOptions<FastifyRequest>, 'rule'> {
  /** All that is known of the request. Never from a field that a client can forge (R77); see `clientAddress` for `ip`, `endpointOf` for `endpoint`. */
  readonly attributes: (request: FastifyRequest) => RequestAttributes;
}

const OPTIONS: NamesOf<FastifyRateLimitOptions> = {
  limiter: true,
  attributes: true,
  cost: true,
  skip: true,
  headers: true,
  refundWhen: true,
  observe: true,
  onWarning: true,
  name: true,
};

/**
 * The bare Fastify hook, for whoever says himself what is known of a request, such as a gateway: an `onRequest` hook for an instance or one route.
 * Register it after CORS and after what names the caller. It writes the fields of R70, answers a refusal with problem+json, and holds a shaped
 * request back for its delay. When every permit is at hand it runs in the same tick, without a promise.
 */
export function fastifyRateLimit(options: FastifyRateLimitOptions) {
  requireKnown('fastifyRateLimit', options, OPTIONS);
  const { attributes, ...rest } = options;
  const skin = new Skin(rest, fastifyAdapter, attributes, new Warnings(options.onWarning));
  return function rateLimit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    skin.handle(request, reply, done);
  };
}
