const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/**
 * Ms that the zone's wall clock is ahead of UTC at `atMs`, by the platform's own zone data. Costs some µs: callers cache.
 * Throws a RangeError for a zone that the platform does not know.
 */
export function zoneOffsetMs(timeZone: string, atMs: number): number {
  const wholeSecondMs = Math.floor(atMs / 1000) * 1000;
  const field: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(wholeSecondMs)) field[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecondMs;
}

/**
 * The first instant in (fromMs, toMs] with another offset than at `fromMs`, to the ms; undefined when both ends have the same.
 * At most one change may lie between them.
 */
export function offsetChangeMs(timeZone: string, fromMs: number, toMs: number): number | undefined {
  const offset = zoneOffsetMs(timeZone, fromMs);
  if (zoneOffsetMs(timeZone, toMs) === offset) return undefined;
  let before = fromMs;
  let after = toMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffsetMs(timeZone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
