import { markLimit } from './route-limit.js';

/** Requests of a handler, or of a controller, are not counted; `@SkipRateLimit(false)` on a handler counts them in spite of its controller. */
export function SkipRateLimit(isSkipped = true): MethodDecorator & ClassDecorator {
  return markLimit({ isSkipped });
}
