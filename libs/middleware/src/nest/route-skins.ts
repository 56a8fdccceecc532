import type { ExecutionContext } from '@nestjs/common';
import type { RateLimitOptions } from '../skin-options.js';
import { createSkin, type Skin } from '../skin/create-skin.js';
import type { SkinAdapter } from '../skin/skin-adapter.js';
import { httpAdapter } from './http-adapter.js';
import { messageAdapter } from './message-adapter.js';
import { markedLimit } from './route-limit.js';

/** What limits one handler of one controller. */
export interface RouteSkin {
  readonly skin: Skin<ExecutionContext, ExecutionContext>;
  readonly adapter: SkinAdapter<ExecutionContext, ExecutionContext>;
}

type Handlers = WeakMap<object, RouteSkin | 'skipped'>;

/** One skin for each handler, made when it is first asked for; a handler that two controllers inherit has two. */
export class RouteSkins {
  private readonly byController = new WeakMap<object, Handlers>();

  /** @throws RangeError for options that no request could be served with, so that the app does not start */
  constructor(private readonly options: RateLimitOptions<ExecutionContext>) {
    createSkin(options, httpAdapter);
  }

  /** `undefined` when none was made yet. */
  of(context: ExecutionContext): RouteSkin | 'skipped' | undefined {
    return this.byController.get(context.getClass())?.get(context.getHandler());
  }

  /** @throws RangeError for what a decorator says and no request could be served with */
  make(context: ExecutionContext): RouteSkin | 'skipped' {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    const { isSkipped = false, ...limit } = markedLimit(controller, handler);
    const adapter = context.getType() === 'http' ? httpAdapter : messageAdapter;
    const made = isSkipped ? 'skipped' : { adapter, skin: createSkin({ ...this.options, ...limit }, adapter) };
    const handlers: Handlers = this.byController.get(controller) ?? new WeakMap();
    this.byController.set(controller, handlers.set(handler, made));
    return made;
  }
}
