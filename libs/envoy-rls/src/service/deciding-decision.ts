import type { Decision } from '@sluice/limiter';

/**
 * The decision that the client hears of. Of those that refuse: the one with the longest wait, so that `Retry-After` is enough for all of
 * them; of those that allow: the one with the fewest permits left, the first of equals. Undefined where no limit applies.
 *
 * @param decisions which all refuse, or all allow
 */
export function decidingDecision(decisions: readonly Decision[]): Decision | undefined {
  let deciding: Decision | undefined;
  for (let at = 0; at < decisions.length; at += 1) {
    const each = decisions[at];
    if (each?.deciding !== undefined && (deciding === undefined || isTighter(each, deciding))) deciding = each;
  }
  return deciding;
}

function isTighter(a: Decision, b: Decision): boolean {
  if (a.allowed) return (a.deciding?.remaining ?? Infinity) < (b.deciding?.remaining ?? Infinity);
  return waitMs(a) > waitMs(b);
}

function waitMs({ retryAfterMs, reason }: Decision): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  // No waiting helps; while the store is away nobody knows, which is a second.
  return reason === 'store_unavailable' ? 1000 : Infinity;
}
