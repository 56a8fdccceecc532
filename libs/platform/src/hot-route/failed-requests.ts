import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, preHandlerHookHandler } from 'fastify';

/** Has routes answer for what failed before they got the request. */
export class FailedRequests {
  private readonly errors = new WeakMap<IncomingMessage, Error>();

  private readonly hook: preHandlerHookHandler = (request, _reply, done) => done(this.errors.get(request.raw));

  /** For those of the urls that are registered on the instance from now on. */
  watch(fastify: FastifyInstance, urls: ReadonlySet<string>): void {
    fastify.addHook('onRoute', (route) => {
      if (route.method === 'POST' && urls.has(route.url)) route.preHandler = [this.hook, ...[route.preHandler ?? []].flat()];
    });
  }

  /** To be called before the request goes to Fastify. */
  add(request: IncomingMessage, error: unknown): void {
    this.errors.set(request, error instanceof Error ? error : new Error(String(error)));
  }
}
