import type { DecisionEvent } from '@sluice/events';

/** What the client was told, as every skin of Sluice tells it (R70). */
export interface Told {
  readonly status: 401 | 429 | 503;
  /** `Retry-After`: whole seconds, rounded up, at least 1; undefined where none was sent, since no waiting helps. */
  readonly retryAfterSeconds: number | undefined;
  /** When that wait was over, to the ms. */
  readonly retryAtMs: number | undefined;
}

/** What was told with a refusal; undefined for what was none. */
export function toldOf({ kind, allowed, reason, retry_after_ms: retryAfterMs, at_ms: atMs }: DecisionEvent): Told | undefined {
  if (kind === 'unauthenticated') return { status: 401, retryAfterSeconds: undefined, retryAtMs: undefined };
  if (kind === 'shadow' || allowed) return undefined;
  const status = reason === 'store_unavailable' ? 503 : 429;
  const waitMs = reason === 'cost_exceeds_limit' ? null : (retryAfterMs ?? (status === 503 ? 1_000 : null));
  if (waitMs === null) return { status, retryAfterSeconds: undefined, retryAtMs: undefined };
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return { status, retryAfterSeconds, retryAtMs: atMs + retryAfterSeconds * 1_000 };
}
