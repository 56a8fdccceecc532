import { markLimit, type RouteLimit } from './route-limit.js';

/**
 * Names the limit of a handler or of all handlers of a controller, which rules match by `descriptors: {"rule": "search"}`:
 * `@RateLimit('search', { cost: 5 })`. Without a name it only changes how requests are counted: `@RateLimit({ cost: 5 })`. It takes effect where
 * {@link RateLimitGuard} is bound, and counts again below a `@SkipRateLimit()` of the controller.
 *
 * @throws RangeError for a second name on one handler or one controller
 */
export function RateLimit(rule: string, limit?: Omit<RouteLimit, 'rule'>): MethodDecorator & ClassDecorator;
export function RateLimit(limit: RouteLimit): MethodDecorator & ClassDecorator;
export function RateLimit(ruleOrLimit: string | RouteLimit, limit: Omit<RouteLimit, 'rule'> = {}): MethodDecorator & ClassDecorator {
  return markLimit({ ...(typeof ruleOrLimit === 'string' ? { ...limit, rule: ruleOrLimit } : ruleOrLimit), isSkipped: false });
}
