import type { Decision } from '@sluice/limiter';

/**
 * Seconds for `Retry-After`: an integer of at least 1, rounded up, so that a client that waits exactly that long is allowed
 * (R70, known failure 35). `undefined` when the request passed, and when no waiting helps (`cost_exceeds_limit`, R9).
 * While the store is away nobody knows when it comes back: 1 when the engine names no time.
 */
export function retryAfterSeconds(decision: Decision): number | undefined {
  if (decision.allowed || decision.reason === 'cost_exceeds_limit') return undefined;
  if (decision.retryAfterMs === undefined) return decision.reason === 'store_unavailable' ? 1 : undefined;
  return Math.max(1, Math.ceil(decision.retryAfterMs / 1000));
}
