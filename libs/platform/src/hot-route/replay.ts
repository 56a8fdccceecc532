import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, preParsingHookHandler } from 'fastify';

/** What became of a request before the route got it: its body was read, or it failed. */
export type Replay = { readonly body: Buffer } | { readonly error: Error };

/** Gives routes the requests that were begun elsewhere, as if they were new. */
export class Replays {
  private readonly begun = new WeakMap<IncomingMessage, Replay>();

  /** A route's hook: the body that was read takes the place of the stream, which has no more. */
  private readonly hook: preParsingHookHandler = (request, _reply, payload, done) => {
    const replay = this.begun.get(request.raw);
    if (replay === undefined) done(null, payload);
    else if ('error' in replay) done(replay.error);
    else done(null, Readable.from([replay.body], { objectMode: false }));
  };

  /** For those of the urls that are registered on the instance from now on. */
  watch(fastify: FastifyInstance, urls: ReadonlySet<string>): void {
    fastify.addHook('onRoute', (route) => {
      if (route.method === 'POST' && urls.has(route.url)) route.preParsing = [this.hook, ...[route.preParsing ?? []].flat()];
    });
  }

  /** To be called before the request goes to Fastify. */
  set(request: IncomingMessage, replay: Replay): void {
    this.begun.set(request, replay);
  }
}
