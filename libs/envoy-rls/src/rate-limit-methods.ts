import { shouldRateLimit } from './codec/should-rate-limit.js';
import { type HealthOptions, healthMethods } from './health/health-methods.js';
import { reflectionMethods } from './reflection/reflection-methods.js';
import type { RateLimitService } from './service/rate-limit-service.js';
import type { Methods } from './transport/call.js';

/** The service that Envoy asks. */
const RATE_LIMIT_SERVICE = 'envoy.service.ratelimit.v3.RateLimitService';
const HEALTH_SERVICE = 'grpc.health.v1.Health';

/** Everything that is served: the rate limit service, health and reflection. */
export function rateLimitMethods(service: RateLimitService, health: Pick<HealthOptions, 'isReady' | 'lookMs'>): Methods {
  return new Map([
    [`/${RATE_LIMIT_SERVICE}/ShouldRateLimit`, { kind: 'unary', handle: shouldRateLimit(service) }],
    ...healthMethods({ services: [RATE_LIMIT_SERVICE], ...health }),
    ...reflectionMethods([RATE_LIMIT_SERVICE, HEALTH_SERVICE]),
  ]);
}
