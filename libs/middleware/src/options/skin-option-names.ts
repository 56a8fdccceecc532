import type { RateLimitOptions } from '../skin-options.js';
import type { NamesOf } from './require-known.js';

/** What all skins take; each framework's has some of its own beside them. */
export const SKIN_OPTION_NAMES: NamesOf<RateLimitOptions<never>> = {
  limiter: true,
  rule: true,
  key: true,
  attributes: true,
  cost: true,
  skip: true,
  trustedProxies: true,
  caseSensitiveRoutes: true,
  headers: true,
  refundWhen: true,
  observe: true,
  onWarning: true,
  name: true,
};
