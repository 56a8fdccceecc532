import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import { type NamesOf, requireKnown } from '../options/require-known.js';
import type { RateLimitOptions } from '../skin-options.js';

const ROUTE_OPTIONS: NamesOf<MarkedLimit> = { rule: true, key: true, attributes: true, cost: true, skip: true, headers: true, refundWhen: true, name: true, isSkipped: true };

/** What a handler or a controller can say of its limit; what is absent is as the controller, then the module, says. */
export type RouteLimit = Partial<Pick<RateLimitOptions<ExecutionContext>, 'rule' | 'key' | 'attributes' | 'cost' | 'skip' | 'headers' | 'refundWhen' | 'name'>>;

/** {@link RouteLimit}, or that there is none. */
export interface MarkedLimit extends RouteLimit {
  readonly isSkipped?: boolean;
}

const MARK = Symbol('sluice.route-limit');

/** The decorator that adds to what is known of a handler's or a controller's limit. */
export function markLimit(more: MarkedLimit): MethodDecorator & ClassDecorator {
  requireKnown('@RateLimit', more, ROUTE_OPTIONS);
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    const marked: unknown = descriptor?.value ?? target;
    if (typeof marked !== 'function') throw new TypeError('a limit is of a controller or of one of its methods');
    const own: MarkedLimit | undefined = Reflect.getOwnMetadata(MARK, marked);
    if (own?.rule !== undefined && more.rule !== undefined) {
      throw new RangeError(`a second @RateLimit would hide the first: several limits are several policies of rules for one name (${own.rule}, ${more.rule})`);
    }
    // With what a base class says: a controller may extend another.
    const before: MarkedLimit | undefined = Reflect.getMetadata(MARK, marked);
    Reflect.defineMetadata(MARK, { ...before, ...more }, marked);
  };
}

/** What is known of the limit of a handler of a controller: the handler's word counts more. */
export function markedLimit(controller: object, handler: object): MarkedLimit {
  const ofController: MarkedLimit | undefined = Reflect.getMetadata(MARK, controller);
  const ofHandler: MarkedLimit | undefined = Reflect.getMetadata(MARK, handler);
  return { ...ofController, ...ofHandler };
}
