import type { Decision } from '@sluice/limiter';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RateLimitOptions } from '../skin-options.js';
import { type NamesOf, requireKnown } from '../options/require-known.js';
import { SKIN_OPTION_NAMES } from '../options/skin-option-names.js';
import { createSkin } from '../skin/create-skin.js';
import { expressAdapter } from './express-adapter.js';

export interface ExpressRateLimitOptions extends RateLimitOptions<Request> {
  /** Answers a refusal in another way; the fields are set. Default: problem+json with 429, or 503 while the store is away. */
  readonly handler?: ((request: Request, response: Response, next: NextFunction, decision: Decision) => void) | undefined;
}

const OPTIONS: NamesOf<ExpressRateLimitOptions> = { ...SKIN_OPTION_NAMES, handler: true };

/**
 * The Express 5 skin: a handler for an app, a router or a route, `app.use(rateLimit({ limiter }))`. On a route `endpoint` is its template, before the
 * routes it is the path; bound there, it limits what no route answers too. Bind it after CORS and after what names the caller.
 *
 * @throws TypeError for an option that is none; RangeError for options that no request could be served with
 */
export function rateLimit(options: ExpressRateLimitOptions): RequestHandler {
  requireKnown('rateLimit', options, OPTIONS);
  const { handler } = options;
  const skin = createSkin(options, handler === undefined ? expressAdapter : { ...expressAdapter, refuse: byHandler(handler) });
  return (request, response, next) => skin.handle(request, response, next);
}

function byHandler(handler: NonNullable<ExpressRateLimitOptions['handler']>): typeof expressAdapter.refuse {
  // What comes as `next` is Express's own, which takes 'route' and 'router' as well.
  return (request, response, decision, next) => handler(request, response, (error?: unknown) => next(error as Error | undefined), decision);
}
