import { NEVER } from '@sluice/algorithms';
import { SettledOutcome } from './settled-outcome.js';
/** How long a client is told to wait when the store is away and the rule refuses: the pace of a retry, not of a quota. */
const STORE_AWAY_RETRY_MS = 1000;
/** The store is away, and the rule refuses without it (R41). */
export function storeAway(applied) {
    return new SettledOutcome(applied, 0, STORE_AWAY_RETRY_MS, 'store_unavailable', 'fallback', STORE_AWAY_RETRY_MS, undefined);
}
/** Granted; `charge` is absent when it was not charged after all, since another limit refuses. */
export function granted(applied, seen, source, charge, delayMs, nowMs) {
    return new SettledOutcome(applied, seen.remainingHint(nowMs), seen.resetInMs(nowMs), 'ok', source, delayMs, charge);
}
/** Refused for now: the caller may come back after `retryMs`, and is shown less than it asked for. */
export function refused(applied, seen, source, cost, retryMs, nowMs) {
    const remaining = Math.min(seen.remainingHint(nowMs), cost - 1);
    return new SettledOutcome(applied, remaining, Math.max(seen.resetInMs(nowMs), retryMs), 'quota', source, retryMs, undefined);
}
/** A cost that never passes, however long one waits (R9). */
export function tooCostly(applied, seen, nowMs) {
    return new SettledOutcome(applied, seen.remainingHint(nowMs), seen.resetInMs(nowMs), 'cost_exceeds_limit', 'local', NEVER, undefined);
}
//# sourceMappingURL=outcomes.js.map