import { Controller, Get, HttpCode, Inject, Options, Req, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { decisionOf } from '../../src/decision-of.js';
import { RateLimitGuard, RateLimitModule, type RateLimitModuleOptions } from '../../src/nest/index.js';
import { type Platform, startNest } from '../nest-app.js';
import type { SkinHarness, TableOptions, TableRequest } from '../skin-harness.js';

const PARTS = Symbol('parts');
type Parts = Parameters<SkinHarness['start']>[1];

@Controller()
class Items {
  constructor(@Inject(PARTS) private readonly parts: Parts) {}

  @Get('items/:id')
  item(@Req() request: { readonly url: string; readonly raw?: object }): string {
    this.parts.served(request.url);
    return JSON.stringify(decisionOf(request.raw ?? request)?.deciding?.remaining ?? null);
  }

  @Options('items/:id')
  options(@Req() request: { readonly url: string }): string {
    this.parts.served(request.url);
    return 'null';
  }

  @Get('fails')
  @HttpCode(503)
  fails(@Req() request: { readonly url: string }): void {
    this.parts.served(request.url);
  }

  @Get('slow')
  async slow(@Req() request: { readonly url: string }): Promise<string> {
    this.parts.served(request.url);
    await new Promise((resolve) => setTimeout(resolve, this.parts.slowMs));
    return '';
  }
}

/** The options of the table are functions of the request; Nest's are of its context. */
function nestOptions({ limiter, key, attributes, cost, skip, refundWhen, observe, ...rest }: TableOptions): RateLimitModuleOptions {
  const requestOf = (context: ExecutionContext): TableRequest => context.switchToHttp().getRequest<TableRequest>();
  return {
    ...rest,
    limiter: Object.assign(Object.create(limiter), { check: limiter.check.bind(limiter), refund: limiter.refund?.bind(limiter) }),
    ...(key && { key: (context) => key(requestOf(context)) }),
    ...(attributes && { attributes: (context) => attributes(requestOf(context)) }),
    ...(cost !== undefined && { cost: typeof cost === 'number' ? cost : (context) => cost(requestOf(context)) }),
    ...(skip && { skip: (context) => skip(requestOf(context)) }),
    ...(refundWhen && { refundWhen: (status, context) => refundWhen(status, requestOf(context)) }),
    ...(observe && { observe: (decision, seconds, context) => observe(decision, seconds, requestOf(context)) }),
  };
}

export function nestHarness(platform: Platform): SkinHarness {
  return {
    name: `Nest on ${platform}`,
    knowsTemplates: true,
    seesUnrouted: false,
    async start(options, parts) {
      const guards = Array.from({ length: parts.bindings }, () => ({ provide: APP_GUARD, useClass: RateLimitGuard }));
      const { app, url } = await startNest(platform, {
        imports: [RateLimitModule.forRoot(nestOptions(options))],
        controllers: [Items],
        providers: [...guards, { provide: PARTS, useValue: parts }],
      }, undefined, parts.socketPath);
      return { url, close: () => app.close() };
    },
  };
}
