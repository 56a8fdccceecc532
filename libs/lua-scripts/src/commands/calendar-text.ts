import { calendarBoundaries, type Calendar } from '@sluice/algorithms';

/** By the array that `calendarBoundaries` hands out again for as long as its window lasts. */
const texts = new WeakMap<readonly number[], string>();

/**
 * The calendar around `nowMs` as the scripts read it: six ascending window starts in ms, comma-separated. The store decides by its
 * own clock which of their windows holds now (R6), so the caller's clock may be off by two windows.
 */
export function calendarText(calendar: Calendar, nowMs: number): string {
  const boundaries = calendarBoundaries(calendar, nowMs);
  let text = texts.get(boundaries);
  if (text === undefined) texts.set(boundaries, (text = boundaries.join(',')));
  return text;
}
