import { Controller, Get, HttpCode, type DynamicModule, type ExecutionContext, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimit, RateLimitGuard, RateLimitModule } from '@sluice/middleware/nest';
import { type Platform, startNest } from '../../../../../libs/middleware/test/nest-app.js';
import { FAILING_PATH, type Ground, type Surface } from '../surface.js';
import type { Engine } from './engine.js';
import { type AnyRequest, skinParts, skinSurface } from './skin.js';

/** A Nest app with the guard, on one of its platforms. */
export async function nestSurface(platform: Platform, engine: Engine, ground: Ground): Promise<Surface> {
  const parts = skinParts(engine.limiter, ground);
  const { options } = parts;
  const requestOf = (context: ExecutionContext): AnyRequest => context.switchToHttp().getRequest<AnyRequest>();
  const limits: DynamicModule = RateLimitModule.forRoot({
    limiter: engine.limiter,
    key: (context) => requestOf(context).headers['x-user']?.toString(),
    cost: (context) => Number(requestOf(context).headers['x-cost'] ?? 1),
    trustedProxies: ground.trust,
    observe: (decision, seconds, context) => options.observe?.(decision, seconds, requestOf(context)),
    onWarning: () => undefined,
  });
  const paths = ground.paths.filter((path) => path !== FAILING_PATH);
  const { app, url } = await startNest(platform, { imports: [limits], controllers: [controllerOf(paths, parts.refundWhen)], providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }] });
  return skinSurface(`Nest on ${platform}`, url, parts, async () => {
    await app.close();
    await engine.close();
  });
}

function controllerOf(paths: readonly string[], refundWhen: (status: number) => boolean): Type<object> {
  @Controller()
  class Paths {
    @Get([...paths])
    any(): string {
      return 'ok';
    }

    @Get(FAILING_PATH)
    @HttpCode(503)
    @RateLimit({ refundWhen })
    fails(): string {
      return '';
    }
  }
  return Paths;
}
