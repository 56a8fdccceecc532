export { fastifyRateLimit } from './fastify-rate-limit.js';
export type { FastifyRateLimitOptions } from './fastify-rate-limit.js';
