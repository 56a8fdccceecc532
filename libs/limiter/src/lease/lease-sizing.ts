import type { Quota } from '@sluice/algorithms';

/** How many permits a node asks for beyond the request at hand, and how long it then waits before it asks a dry counter again. */
export interface LeaseSizing {
  /** Permits wanted for a key with this demand; the caller raises it to the need and caps it. */
  want(quota: Quota, ratePerMs: number, intervalMs: number): number;
  /** T of the lease protocol, ms: the pace of asks. */
  intervalMs(quota: Quota): number;
}

const MIN_INTERVAL_MS = 20;
const MAX_INTERVAL_MS = 1000;
const MARGIN = 1.3;
/** A node that dies loses what it held: at most this share of a limit (R27). Below 50 that is less than one permit, so nothing is held ahead of need. */
const LIMIT_SHARE = 0.02;
/** T = window / 20: at saturation 0.06 trips a request with 97 % of the limit admitted (ARCHITECTURE, lease protocol). */
const WINDOW_SHARE = 20;

/**
 * The lease follows the key's own rate: rate x T x 1.3, at most 2 % of the limit, with T spread by +-25 % for each ask, so that a
 * fleet does not come back in one instant (R26).
 */
export function adaptiveLeases(random: () => number): LeaseSizing {
  return {
    want: (quota, ratePerMs, intervalMs) => Math.min(Math.ceil(ratePerMs * intervalMs * MARGIN), Math.floor(quota.limit * LIMIT_SHARE)),
    intervalMs: (quota) => {
      const base = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, quota.windowMs / WINDOW_SHARE));
      return base * (0.75 + 0.5 * random());
    },
  };
}

/** Always the same chunk, whatever the demand: the scheme of the textbooks, for comparison and for R20's arithmetic. */
export function fixedLeases(chunk: number): LeaseSizing {
  return { want: () => chunk, intervalMs: () => 0 };
}
