/** Fastify's template of the path `/v1/ratelimit:check`. */
export const CHECK_URL = '/v1/ratelimit::check';
