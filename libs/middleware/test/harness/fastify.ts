import Fastify from 'fastify';
import { decisionOf } from '../../src/decision-of.js';
import { rateLimit } from '../../src/fastify/index.js';
import type { SkinHarness } from '../skin-harness.js';

export const fastifyHarness: SkinHarness = {
  name: 'Fastify',
  knowsTemplates: true,
  async start(options, { bindings, served, slowMs, socketPath }) {
    const app = Fastify({ forceCloseConnections: true });
    await app.register(rateLimit, options);
    for (let i = 1; i < bindings; i += 1) app.addHook('onRequest', app.rateLimit());
    app.route({
      method: ['GET', 'OPTIONS'],
      url: '/items/:id',
      handler: async (request) => {
        served(request.url);
        return JSON.stringify(decisionOf(request.raw)?.deciding?.remaining ?? null);
      },
    });
    app.get('/fails', async (request, reply) => {
      served(request.url);
      return reply.code(503).send();
    });
    app.get('/slow', async (request) => {
      served(request.url);
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      return '';
    });
    const url = await app.listen(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath });
    return { url, close: () => app.close() };
  },
};
