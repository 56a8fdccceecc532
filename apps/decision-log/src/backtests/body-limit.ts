import type { FastifyInstance } from 'fastify';

/** Largest body of a backtest, in bytes: some 20,000 rules, as the control plane takes them. */
const BODY_LIMIT = 8_388_608;

/** Lets a whole set of rules in, where all other bodies are small. */
export function raiseBodyLimit(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/v1/backtests' && route.method === 'POST') route.bodyLimit = BODY_LIMIT;
  });
}
