import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './algorithm-of.js';
import { calendarWindow, type CalendarWindow } from './calendar.js';
import type { Quota } from './quota.js';

/** Use within one window. 2 numbers a key. */
export interface FixedWindowState {
  readonly algorithm: 'fixed_window';
  readonly startMs: number;
  readonly used: number;
}

/** The window that holds `nowMs`: of the calendar, or the multiple of `windowMs` since the epoch. */
function windowAt(quota: Quota, nowMs: number): CalendarWindow {
  if (quota.calendar !== undefined) return calendarWindow(quota.calendar, nowMs);
  const startMs = nowMs - (nowMs % quota.windowMs);
  return { startMs, endMs: startMs + quota.windowMs };
}

/**
 * Counts per window; the cheapest. Never more than the limit in one window, but up to twice the limit in a trailing one: a
 * burst at the end of one and another at the start of the next.
 */
export const fixedWindow: Algorithm<FixedWindowState> = algorithmOf<FixedWindowState>({
  clockMs: (state) => state.startMs,
  settle(state, quota, nowMs) {
    const { startMs } = windowAt(quota, nowMs);
    return state?.startMs === startMs ? state : { algorithm: 'fixed_window', startMs, used: 0 };
  },
  used: (settled) => settled.used,
  waitMs: (_settled, quota, _need, nowMs) => windowAt(quota, nowMs).endMs - nowMs,
  freeInMs: (settled, quota, nowMs) => (settled.used > 0 ? windowAt(quota, nowMs).endMs - nowMs : 0),
  bucket: (settled) => settled.startMs,
  bucketEndsInMs: (_settled, quota, nowMs) => windowAt(quota, nowMs).endMs - nowMs,
  // Windows end, so debt needs no other bound.
  ceiling: () => Number.MAX_SAFE_INTEGER,
  charge: (settled, _quota, permits) => ({ ...settled, used: settled.used + permits }),
  refund(settled, _quota, amount, bucket) {
    const refunded = bucket === settled.startMs ? Math.min(amount, settled.used) : 0;
    return refunded === 0 ? { refunded, state: settled } : { refunded, state: { ...settled, used: settled.used - refunded } };
  },
});
