import { calendarWindow } from '@sluice/algorithms';
import type { AppliedRule, GivenLimit } from '@sluice/rules';
import type { PolicyOutcome } from '../decision.js';
import { SettledOutcome } from '../settled-outcome.js';

/**
 * A given limit of 0 refuses whatever costs something; no counter is asked. The caller may come back when the window is over: by then the limit may be another.
 * A peek finds a counter that is not beyond its limit.
 * @param storeMs now by the store's clock.
 */
export function bannedOutcome(applied: AppliedRule, { windowMs, calendar }: GivenLimit, cost: number, storeMs: number): PolicyOutcome {
  const endMs = calendar === undefined ? storeMs - (storeMs % windowMs) + windowMs : calendarWindow(calendar, storeMs).endMs;
  const waitMs = Math.max(1, endMs - storeMs);
  return cost === 0 ? new SettledOutcome(applied, 0, waitMs, 'ok', 'local', 0, undefined) : new SettledOutcome(applied, 0, waitMs, 'quota', 'local', waitMs, undefined);
}
