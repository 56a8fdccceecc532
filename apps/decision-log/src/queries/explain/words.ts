const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** `31 January 2026`, in UTC. */
export function dayOf(ms: number): string {
  return DAY.format(ms);
}

/** `14:02:07 UTC`; a part of a second is cut off. */
export function clockOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}

/** `14:02:07 UTC`, with the day where that is another one than the reader has in mind. */
export function timeOf(ms: number, besideMs: number): string {
  return dayOf(ms) === dayOf(besideMs) ? clockOf(ms) : momentOf(ms);
}

/** `14:02:07 UTC on 31 January 2026` */
export function momentOf(ms: number): string {
  return `${clockOf(ms)} on ${dayOf(ms)}`;
}

export function numberOf(value: number): string {
  return NUMBER.format(value);
}

/** `1 request`, `5 requests` */
export function countOf(count: number, noun = 'request'): string {
  return `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS = [
  [604_800_000, 'week'],
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** `per minute`, `per 15 minutes`, `per 250 milliseconds` */
export function perWindow(windowMs: number): string {
  for (const [ms, unit] of UNITS) {
    if (windowMs === ms) return `per ${unit}`;
    // 7 days are a week, and 14 of them two; but 90 minutes are no whole hours.
    if (windowMs > ms && windowMs % ms === 0) return `per ${countOf(windowMs / ms, unit)}`;
  }
  return windowMs < 1_000 ? `per ${countOf(windowMs, 'millisecond')}` : `per ${countOf(windowMs / 1_000, 'second')}`;
}

/** `12 seconds`, `about 59 minutes`, `about 3 days`; seconds to two minutes, then rounded up to what one can remember. */
export function spanOf(seconds: number): string {
  if (seconds < 120) return countOf(seconds, 'second');
  if (seconds < 7_200) return `about ${countOf(Math.ceil(seconds / 60), 'minute')}`;
  if (seconds < 172_800) return `about ${countOf(Math.ceil(seconds / 3_600), 'hour')}`;
  return `about ${countOf(Math.ceil(seconds / 86_400), 'day')}`;
}

/** What a client can write into an event, in a line of text. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** `a`, `a and b`, `a, b and c` */
export function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
