import { Controller, type DynamicModule, Get, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimit, RateLimitGuard, RateLimitModule, type RateLimitModuleOptions } from '@sluice/middleware/nest';

@Controller()
class AppController {
  @Get('hello')
  hello(): object {
    return { hello: 'world' };
  }

  /** A limit of its own: rules match `descriptors: {"rule": "search"}`. It costs five permits of those. */
  @Get('search')
  @RateLimit('search', { cost: 5 })
  search(): object {
    return { found: [] };
  }
}

/** All routes behind Sluice. */
@Module({})
export class AppModule {
  static with(limiter: RateLimitModuleOptions['limiter']): DynamicModule {
    return {
      module: AppModule,
      // Counted by address, unless rules say otherwise. An API would name its callers: `key: (context) => context.switchToHttp().getRequest().user.id`.
      imports: [RateLimitModule.forRoot({ limiter, attributes: () => ({ domain: 'example' }) })],
      controllers: [AppController],
      providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
    };
  }
}
