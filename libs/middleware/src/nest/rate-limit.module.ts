import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { Decider } from '../decider.js';
import type { InProcessOptions, RemoteOptions } from '../open/open-limiter-options.js';
import { openLimiter } from '../open/open-limiter.js';
import { requireDecider } from '../options/require-decider.js';
import { requireKnown } from '../options/require-known.js';
import { SKIN_OPTION_NAMES } from '../options/skin-option-names.js';
import { LIMITER } from './limiter.token.js';
import { isDecider, RATE_LIMIT_OPTIONS, type RateLimitModuleAsyncOptions, type RateLimitModuleOptions, type RateLimitModuleScope } from './module-options.js';
import { RateLimitGuard } from './rate-limit.guard.js';

/** How long a start waits for the first rules. After it the app starts without them, and refuses or lets pass as `beforeRules` says. */
const RULES_WITHIN_MS = 5_000;

/** Brings the limiter and {@link RateLimitGuard} into a Nest app, on Express or on Fastify. It binds nothing by itself. */
@Module({})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(
    @Inject(LIMITER) private readonly limiter: Decider,
    @Inject(RATE_LIMIT_OPTIONS) private readonly options: RateLimitModuleOptions,
  ) {}

  static forRoot({ isGlobal, ...options }: RateLimitModuleOptions & RateLimitModuleScope): DynamicModule {
    return moduleOf({ provide: RATE_LIMIT_OPTIONS, useValue: options }, isGlobal);
  }

  static forRootAsync({ imports = [], inject = [], useFactory, isGlobal }: RateLimitModuleAsyncOptions): DynamicModule {
    return moduleOf({ provide: RATE_LIMIT_OPTIONS, inject, useFactory }, isGlobal, imports);
  }

  /** Gives leases back, after the last request: Nest calls it when the server is closed, and `onModuleDestroy` before (R44). */
  async onApplicationShutdown(): Promise<void> {
    if (!isDecider(this.options.limiter)) await this.limiter.close();
  }
}

function moduleOf(options: Provider, isGlobal = true, imports: NonNullable<DynamicModule['imports']> = []): DynamicModule {
  const limiter = {
    provide: LIMITER,
    inject: [RATE_LIMIT_OPTIONS],
    useFactory: async (options: RateLimitModuleOptions): Promise<Decider> => {
      requireKnown('RateLimitModule', options, SKIN_OPTION_NAMES);
      const { limiter: given } = options;
      if (typeof given !== 'object' || given === null) requireDecider(given);
      return isDecider(given) ? given : opened(given);
    },
  };
  return { module: RateLimitModule, global: isGlobal, imports, providers: [options, limiter, RateLimitGuard], exports: [LIMITER, RATE_LIMIT_OPTIONS, RateLimitGuard] };
}

async function opened(options: InProcessOptions | RemoteOptions): Promise<Decider> {
  const limiter = await openLimiter(options);
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise((resolve) => (timer = setTimeout(resolve, RULES_WITHIN_MS)));
  await Promise.race([limiter.ready, enough]);
  clearTimeout(timer);
  return limiter;
}
