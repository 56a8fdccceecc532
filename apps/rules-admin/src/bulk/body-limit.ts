import type { FastifyInstance } from 'fastify';

/** Where a whole set of rules is sent, as the router has it: two colons for one. */
export const APPLY_ROUTE = '/v1/rules::apply';

/** Largest body there, in bytes: some 20,000 rules. */
export const APPLY_BODY_LIMIT = 8_388_608;

/** Lets a whole set of rules in, where all other bodies are small. */
export function raiseBodyLimit(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === APPLY_ROUTE) route.bodyLimit = APPLY_BODY_LIMIT;
  });
}
