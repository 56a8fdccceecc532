/** Extended format with a time of day; a blank for the T, as databases write it; the zone as `Z`, `+05:30`, `+0530` or `+05`. */
const ISO = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)?$/;
const EPOCH = /^\d{1,16}(?:\.\d{1,9})?$/;
/** Numbers below it are seconds: it is the year 5138 in those, and 1973 in ms. */
const FIRST_MS = 100_000_000_000;
/** End of the year 9999. Numbers above it are of neither unit. */
const LAST_MS = 253_402_300_799_999;

/**
 * The ms since 1970 of a date and time in ISO 8601 (UTC where it names no zone), or of epoch seconds or ms; whole ms, cut off. Nothing else is a time: what `Date.parse` makes of `k-12` is a day in 2001.
 */
export function instantOf(text: string): number | undefined {
  const ms = EPOCH.test(text) ? epochMs(Number(text)) : isoMs(text);
  return ms !== undefined && ms >= 0 && ms <= LAST_MS ? ms : undefined;
}

function epochMs(number: number): number {
  return Math.floor(number < FIRST_MS ? number * 1_000 : number);
}

function isoMs(text: string): number | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] = parts;
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDay = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return at.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + ms - (sign === '-' ? -zoneMs : zoneMs);
}
