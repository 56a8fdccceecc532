/** What is asked of all servers. */
export const SHOULD_RATE_LIMIT = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
/** What the bare servers answer besides: how many of the former they answered with OK, as four bytes. h2load takes any answer for a success. */
export const COUNT = '/bench.Bench/Count';
