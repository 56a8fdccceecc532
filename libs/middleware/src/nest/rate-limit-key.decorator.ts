import { markLimit, type RouteLimit } from './route-limit.js';

/** Who is counted by a handler, or by a controller: `@RateLimitKey((context) => context.switchToHttp().getRequest().user?.id)`. See `RateLimitOptions.key`. */
export function RateLimitKey(key: NonNullable<RouteLimit['key']>): MethodDecorator & ClassDecorator {
  return markLimit({ key });
}
