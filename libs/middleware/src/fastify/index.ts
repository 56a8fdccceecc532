export { rateLimit } from './rate-limit-plugin.js';
export type { RateLimitHook, RateLimitPluginOptions, RouteRateLimit } from './rate-limit-plugin.js';
export { fastifyRateLimit } from './fastify-rate-limit.js';
export type { FastifyRateLimitOptions } from './fastify-rate-limit.js';
