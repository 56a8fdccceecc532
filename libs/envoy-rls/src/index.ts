export type { CurrentLimit, Descriptor, DescriptorEntry, DescriptorStatus, HeaderValue, LimitOverride, RateLimitRequest, RateLimitResponse } from './messages.js';
export { createRateLimitService } from './service/rate-limit-service.js';
export type { RateLimitAnswer, RateLimitService, RateLimitServiceOptions } from './service/rate-limit-service.js';
