export { rateLimit } from './rate-limit.js';
export type { ExpressRateLimitOptions } from './rate-limit.js';
