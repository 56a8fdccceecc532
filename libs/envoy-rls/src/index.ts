export type { CurrentLimit, Descriptor, DescriptorEntry, DescriptorStatus, HeaderValue, LimitOverride, RateLimitRequest, RateLimitResponse } from './messages.js';
