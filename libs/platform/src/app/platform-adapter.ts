import { FastifyAdapter } from '@nestjs/platform-fastify';

/**
 * The Fastify adapter without Nest's error handler: `createApp` has set its own, before any route. Fastify binds a route to the
 * handler that is there when the route is added, so that Nest's, which comes last, would miss the raw routes.
 */
export class PlatformAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
}
