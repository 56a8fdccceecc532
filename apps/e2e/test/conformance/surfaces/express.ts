import { rateLimit } from '@sluice/middleware/express';
import type { AskedDecider } from '@sluice/middleware';
import { listenExpress, quietExpress } from '../../../../../libs/middleware/test/harness/express.js';
import { FAILING_PATH, type Ground, type Surface, type SurfaceName } from '../surface.js';
import { skinParts, skinSurface } from './skin.js';

/** An Express app with the skin in front of everything. */
export async function expressSurface(name: SurfaceName, limiter: AskedDecider, ground: Ground, close: () => Promise<void>): Promise<Surface> {
  const parts = skinParts(limiter, ground);
  const app = quietExpress();
  app.get(FAILING_PATH, rateLimit({ ...parts.options, refundWhen: parts.refundWhen }), (_request, response) => void response.status(503).end());
  app.use(rateLimit(parts.options));
  app.use((_request, response) => void response.end('ok'));
  const server = await listenExpress(app);
  return skinSurface(name, server.url, parts, async () => {
    await server.close();
    await close();
  });
}
