import type { Decision } from '@sluice/limiter';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HookHandlerDoneFunction, RegisterOptions } from 'fastify';
import type { RateLimitOptions } from '../skin-options.js';
import { type NamesOf, requireKnown } from '../options/require-known.js';
import { SKIN_OPTION_NAMES } from '../options/skin-option-names.js';
import { createSkin, type Skin } from '../skin/create-skin.js';
import { fastifyAdapter } from './fastify-adapter.js';

/** What a route may set for itself; all else it has from the plugin. */
export interface RouteRateLimit extends Partial<RateLimitOptions<FastifyRequest>> {
  /** Answers a refusal in another way; the fields are set. Default: problem+json with 429, or 503 while the store is away. */
  readonly handler?: ((request: FastifyRequest, reply: FastifyReply, decision: Decision) => void) | undefined;
}

export interface RateLimitPluginOptions extends RateLimitOptions<FastifyRequest>, Pick<RouteRateLimit, 'handler'> {
  /** Limits every route but those with `config: { rateLimit: false }`, and what no route answers; else only routes with `config: { rateLimit: {} }`. Default true. */
  readonly global?: boolean | undefined;
  /** `onRequest`, before a body is read, or `preHandler`, when `key` needs what other plugins found out. Default `onRequest`. */
  readonly hook?: 'onRequest' | 'preHandler' | undefined;
}

/** A hook for one place, such as `setNotFoundHandler({ preHandler: app.rateLimit() }, …)`. */
export type RateLimitHook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

declare module 'fastify' {
  interface FastifyContextConfig {
    rateLimit?: RouteRateLimit | false | undefined;
  }
  interface FastifyInstance {
    /** Makes a hook with the plugin's options and these. */
    rateLimit(own?: RouteRateLimit): RateLimitHook;
  }
}

const ROUTE_OPTIONS: NamesOf<RouteRateLimit> = { ...SKIN_OPTION_NAMES, handler: true };
/** With what Fastify takes of the options of any plugin, and hands on. */
const PLUGIN_OPTIONS: NamesOf<RateLimitPluginOptions & RegisterOptions> = { ...ROUTE_OPTIONS, global: true, hook: true, prefix: true, logLevel: true, logSerializers: true };

type FastifySkin = Skin<FastifyRequest, FastifyReply>;

const addRateLimit: FastifyPluginAsync<RateLimitPluginOptions> = async (app, options) => {
  requireKnown('rateLimit', options, PLUGIN_OPTIONS);
  const { global = true, hook = 'onRequest', ...common } = options;
  const skins = new WeakMap<RouteRateLimit, FastifySkin>();
  const base = skinOf(common);

  function skinFor(own: RouteRateLimit): FastifySkin {
    const known = skins.get(own);
    if (known !== undefined) return known;
    requireKnown('rateLimit of a route', own, ROUTE_OPTIONS);
    const skin = skinOf({ ...common, ...own });
    skins.set(own, skin);
    return skin;
  }

  app.decorate('rateLimit', (own?: RouteRateLimit): RateLimitHook => {
    if (own !== undefined) requireKnown('app.rateLimit', own, ROUTE_OPTIONS);
    const skin = own === undefined ? base : skinOf({ ...common, ...own });
    return (request, reply, done) => skin.handle(request, reply, done);
  });
  // What is wrong with the options of a route is said when it is added, not to its first caller.
  app.addHook('onRoute', ({ config }) => {
    if (typeof config?.rateLimit === 'object') skinFor(config.rateLimit);
  });
  // One hook for all, so that it also limits what no route answers, and routes that were added before the plugin (known failure 74).
  const limit: RateLimitHook = (request, reply, done) => {
    const own = request.routeOptions.config.rateLimit;
    if (own === undefined ? !global : own === false) return done();
    const skin = own === undefined || own === false ? base : skinFor(own);
    skin.handle(request, reply, done);
  };
  if (hook === 'onRequest') app.addHook('onRequest', limit);
  else if (hook === 'preHandler') app.addHook('preHandler', limit);
  else throw new RangeError(`hook must be onRequest or preHandler, not ${JSON.stringify(hook)}`);
};

function skinOf({ handler, ...options }: RateLimitOptions<FastifyRequest> & Pick<RouteRateLimit, 'handler'>): FastifySkin {
  return createSkin(options, handler === undefined ? fastifyAdapter : { ...fastifyAdapter, refuse: (request, reply, decision) => handler(request, reply, decision) });
}

/**
 * The Fastify 5 skin: `app.register(rateLimit, { limiter })`, and of a route `config: { rateLimit: { rule: 'search', cost: 5 } }` or `false`. It belongs to
 * the scope that it is registered in, as a plugin by fastify-plugin does. Register it after CORS, and with `hook: 'preHandler'` after what names the caller.
 */
export const rateLimit: FastifyPluginAsync<RateLimitPluginOptions> = Object.assign(addRateLimit, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@sluice/middleware',
  [Symbol.for('plugin-meta')]: { name: '@sluice/middleware', fastify: '5.x' },
});
