import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Decider } from '../decider.js';
import type { Outcome } from '../skin/create-skin.js';
import { holdBack } from '../skin/hold-back.js';
import { hungUp } from '../skin/hung-up.js';
import type { SkinWarning } from '../skin/warnings.js';
import { LIMITER } from './limiter.token.js';
import { RATE_LIMIT_OPTIONS, type RateLimitModuleOptions } from './module-options.js';
import { type RouteSkin, RouteSkins } from './route-skins.js';

/**
 * The Nest skin: `{ provide: APP_GUARD, useClass: RateLimitGuard }` for all routes, or `@UseGuards(RateLimitGuard)`, after the guard that names the caller. It
 * writes the fields of R70, refuses by a {@link RateLimitException} (messages of gateways and microservices by their own exception), and holds a shaped
 * request back for its delay. Where every permit is at hand it answers in the same tick. Guards see no request that no route answers: to
 * limit those too, bind the skin of the platform, with the same limiter; what both meet is counted once (R75).
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly skins: RouteSkins;

  constructor(@Inject(LIMITER) limiter: Decider, @Inject(RATE_LIMIT_OPTIONS) options: RateLimitModuleOptions) {
    const { onWarning } = options;
    this.skins = new RouteSkins({ ...options, limiter, onWarning: onWarning === undefined ? undefined : onceEach(onWarning) });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const route = this.skins.of(context);
    return route === undefined ? this.first(context) : decide(route, context);
  }

  /** A turn later: a skin that is used in the stretch of code that made it is taken for one that is made for each request. */
  private async first(context: ExecutionContext): Promise<boolean> {
    const route = this.skins.make(context);
    await Promise.resolve();
    return decide(route, context);
  }
}

function decide(route: RouteSkin | 'skipped', context: ExecutionContext): boolean | Promise<boolean> {
  if (route === 'skipped') return true;
  const decision = route.skin.decide(context, context);
  return decision instanceof Promise ? decision.then((late) => act(route, late, context)) : act(route, decision, context);
}

function act({ adapter }: RouteSkin, decision: Outcome, context: ExecutionContext): boolean | Promise<boolean> {
  // Nobody hears the answer to this.
  if (decision === 'gone' || (decision !== undefined && hungUp(adapter.raw(context), adapter.response(context)))) return false;
  if (decision === undefined || (decision.allowed && decision.delayMs === 0)) return true;
  return new Promise((resolve, reject) => {
    if (decision.allowed) holdBack(adapter.response(context), decision.delayMs, () => resolve(true));
    else adapter.refuse(context, context, decision, reject);
  });
}

/** Each handler has a skin, which says each thing once by itself. */
function onceEach(listener: (warning: SkinWarning) => void): (warning: SkinWarning) => void {
  const told = new Set<string>();
  return (warning) => {
    if (told.has(warning.code)) return;
    told.add(warning.code);
    listener(warning);
  };
}
