import type { ExecutionContext, InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';
import type { Decider } from '../decider.js';
import type { InProcessOptions, RemoteOptions } from '../open/open-limiter-options.js';
import type { RateLimitOptions } from '../skin-options.js';

/** Token of {@link RateLimitModuleOptions}. */
export const RATE_LIMIT_OPTIONS = Symbol('sluice.rate-limit-options');

/** What all skins take, functions of Nest's context; what a handler or its controller says by decorators counts more. */
export interface RateLimitModuleOptions extends Omit<RateLimitOptions<ExecutionContext>, 'limiter'> {
  /** A limiter that is there, which stays its owner's to close; or the options of `openLimiter`, which the module opens, and closes when the app stops. */
  readonly limiter: Decider | InProcessOptions | RemoteOptions;
}

/** Where the module can be injected from. */
export interface RateLimitModuleScope {
  /** Default true: a process has one limiter, and guards of all modules need it. */
  readonly isGlobal?: boolean | undefined;
}

/** How the options are made, as in Nest's own modules. */
export interface RateLimitModuleAsyncOptions extends RateLimitModuleScope {
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly useFactory: (...injected: never[]) => RateLimitModuleOptions | Promise<RateLimitModuleOptions>;
}

/** Whether a limiter is there already. */
export function isDecider(limiter: RateLimitModuleOptions['limiter']): limiter is Decider {
  return 'check' in limiter && typeof limiter.check === 'function';
}
