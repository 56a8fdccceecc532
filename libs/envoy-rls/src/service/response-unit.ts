import type { ResponseUnit } from '../messages.js';

/** Seconds from which on a window is nearer to the unit, by ratio, than to the one before: the geometric mean of the two. */
const FROM_SECONDS: readonly (readonly [number, ResponseUnit])[] = [
  [Math.sqrt(31_536_000 * 2_592_000), 'YEAR'],
  [Math.sqrt(2_592_000 * 604_800), 'MONTH'],
  [Math.sqrt(604_800 * 86_400), 'WEEK'],
  [Math.sqrt(86_400 * 3600), 'DAY'],
  [Math.sqrt(3600 * 60), 'HOUR'],
  [Math.sqrt(60 * 1), 'MINUTE'],
];

/**
 * The unit that stands for a window in `current_limit`: its own where it has one (a month is 30 days there, as Envoy writes it, and one of
 * the calendar has up to 31), else the nearest by ratio, since the protocol has no other windows. The fields of the response say it exactly.
 */
export function responseUnit(windowMs: number): ResponseUnit {
  const seconds = windowMs / 1000;
  for (const [from, unit] of FROM_SECONDS) if (seconds >= from) return unit;
  return 'SECOND';
}
