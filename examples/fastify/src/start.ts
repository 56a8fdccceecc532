import { openLimiter, type InProcessOptions, type RemoteOptions } from '@sluice/middleware';
import { rateLimit } from '@sluice/middleware/fastify';
import { fastify } from 'fastify';

export interface StartOptions {
  /** 0 for any. */
  readonly port: number;
  readonly limiter: InProcessOptions | RemoteOptions;
}

export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** A Fastify app behind Sluice; resolves when it listens and has rules. */
export async function start({ port, limiter: options }: StartOptions): Promise<Running> {
  const limiter = await openLimiter(options);
  await limiter.ready;

  const app = fastify();
  // Counted by address, unless rules say otherwise. An API would name its callers: `key: (request) => request.user.id, hook: 'preHandler'`.
  await app.register(rateLimit, { limiter, attributes: () => ({ domain: 'example' }) });
  app.get('/hello', async () => ({ hello: 'world' }));
  // A limit of its own: rules match `descriptors: {"rule": "search"}`. It costs five permits of those.
  app.get('/search', { config: { rateLimit: { rule: 'search', cost: 5 } } }, async () => ({ found: [] }));
  // After the last answer.
  app.addHook('onClose', () => limiter.close());

  const url = await app.listen({ port, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}
