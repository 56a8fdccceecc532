import { NEVER } from '@sluice/algorithms';
import type { Verdict } from './decision-builder.js';
import type { Charge, DecisionSource } from './decision.js';
import type { LeaseState } from './lease/lease-state.js';

/** What a node can see of a counter: of one, or of all shards of one (R28). */
export type Seen = Pick<LeaseState, 'remainingHint' | 'resetInMs'>;

/** How long a client is told to wait when the store is away and the rule refuses: the pace of a retry, not of a quota. */
const STORE_AWAY_RETRY_MS = 1000;

export const STORE_AWAY: Verdict = {
  allowed: false,
  reason: 'store_unavailable',
  source: 'fallback',
  remaining: 0,
  resetMs: STORE_AWAY_RETRY_MS,
  retryMs: STORE_AWAY_RETRY_MS,
  charge: undefined,
  delayMs: 0,
};

/** Granted; `charge` is absent when it was not charged after all, since another limit refuses. */
export function granted(lease: Seen, source: DecisionSource, charge: Charge | undefined, delayMs: number, nowMs: number): Verdict {
  return {
    allowed: true,
    reason: 'ok',
    source,
    remaining: lease.remainingHint(nowMs),
    resetMs: lease.resetInMs(nowMs),
    retryMs: 0,
    charge,
    delayMs,
  };
}

/** Refused for now: the caller may come back after `retryMs`, and is shown less than it asked for. */
export function refused(lease: Seen, source: DecisionSource, cost: number, retryMs: number, nowMs: number): Verdict {
  return {
    allowed: false,
    reason: 'quota',
    source,
    remaining: Math.min(lease.remainingHint(nowMs), cost - 1),
    resetMs: Math.max(lease.resetInMs(nowMs), retryMs),
    retryMs,
    charge: undefined,
    delayMs: 0,
  };
}

/** A cost that never passes, however long one waits (R9). */
export function tooCostly(lease: Seen, nowMs: number): Verdict {
  return {
    allowed: false,
    reason: 'cost_exceeds_limit',
    source: 'local',
    remaining: lease.remainingHint(nowMs),
    resetMs: lease.resetInMs(nowMs),
    retryMs: NEVER,
    charge: undefined,
    delayMs: 0,
  };
}
