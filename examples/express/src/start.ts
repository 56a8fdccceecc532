import { openLimiter, type InProcessOptions, type RemoteOptions } from '@sluice/middleware';
import { rateLimit } from '@sluice/middleware/express';
import express from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';

export interface StartOptions {
  /** 0 for any. */
  readonly port: number;
  readonly limiter: InProcessOptions | RemoteOptions;
}

export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** An Express app behind Sluice; resolves when it listens and has rules. */
export async function start({ port, limiter: options }: StartOptions): Promise<Running> {
  const limiter = await openLimiter(options);
  await limiter.ready;

  const app = express();
  // Counted by address, unless rules say otherwise. An API would name its callers after authentication: `key: (request) => request.user.id`.
  const limit = { limiter, attributes: () => ({ domain: 'example' }) };
  app.get('/hello', rateLimit(limit), (_request, response) => void response.json({ hello: 'world' }));
  // A limit of its own: rules match `descriptors: {"rule": "search"}`. It costs five permits of those.
  app.get('/search', rateLimit({ ...limit, rule: 'search', cost: 5 }), (_request, response) => void response.json({ found: [] }));
  // What no route answers is limited as well.
  app.use(rateLimit(limit));

  const server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Who is kept alive without a request under way is let go.
      server.closeIdleConnections();
      await closed;
      await limiter.close();
    },
  };
}
