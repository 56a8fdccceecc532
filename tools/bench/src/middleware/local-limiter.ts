import { createLimiter, fixedLeases, type Limiter } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { GrantingStore } from '../engine/granting-store.js';

/** Names the caller of the benchmark's requests. */
export const KEY_HEADER = 'x-api-key';

/** An engine with one rule by API key, whose permits are all at hand from the second request of a key on: every decision is local. */
export function localLimiter(): Limiter {
  const rules = compileSnapshot({
    version: 1,
    plans: [],
    rules: [{ rule_id: 'per-key', version: 1, endpoint: '*', limit: 1_000_000_000, window_seconds: 3600, max_lease: 1_000_000 }],
    overrides: [],
  });
  return createLimiter({ store: new GrantingStore(), rules, sizing: fixedLeases(1_000_000) });
}
