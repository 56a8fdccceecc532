import type { DecisionEvent } from '@sluice/events';
import type { RequestAttributes } from '@sluice/rules';

/** One recorded request, or the many that a sampled event stands for. */
export interface ReplayRequest {
  /** Ms since the epoch, an integer. */
  readonly atMs: number;
  readonly attributes: RequestAttributes;
  /** Permits, an integer of at least 0; 0 is a peek, which charges nothing. */
  readonly cost: number;
  /** How many of the requests like this one were recorded, above 0 to 1: it stands for 1 / share of them. Absent: 1. */
  readonly share?: number;
  /** What really happened; undefined where nobody knows. */
  readonly wasAllowed?: boolean | undefined;
  /** The rule that really refused it, where that is known. */
  readonly refusedBy?: string | undefined;
}

/** The request that a recorded decision was of; undefined for other kinds of events, which decide nothing. */
export function requestOf(event: DecisionEvent): ReplayRequest | undefined {
  if (event.kind !== 'decision') return undefined;
  return { atMs: event.at_ms, attributes: event.attributes, cost: event.cost, share: event.sampled_share, wasAllowed: event.allowed, refusedBy: event.allowed ? undefined : event.limits[0]?.rule_id };
}
