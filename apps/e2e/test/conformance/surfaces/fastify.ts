import { rateLimit } from '@sluice/middleware/fastify';
import Fastify from 'fastify';
import { FAILING_PATH, type Ground, type Surface } from '../surface.js';
import type { Engine } from './engine.js';
import { skinParts, skinSurface } from './skin.js';

/** A Fastify app with the plugin, each path a route of its own. */
export async function fastifySurface(engine: Engine, ground: Ground): Promise<Surface> {
  const parts = skinParts(engine.limiter, ground);
  const app = Fastify({ forceCloseConnections: true });
  await app.register(rateLimit, parts.options);
  for (const path of ground.paths) if (path !== FAILING_PATH) app.get(path, async () => 'ok');
  app.get(FAILING_PATH, { config: { rateLimit: { refundWhen: parts.refundWhen } } }, async (_request, reply) => reply.code(503).send());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return skinSurface('Fastify', url, parts, async () => {
    await app.close();
    await engine.close();
  });
}
