let knownSecond = Number.NaN;
let knownText = '';

/** A time in ms since the epoch as ISO 8601. The second that is asked for again and again is written once. */
export function isoTime(ms: number): string {
  const whole = Math.floor(ms);
  const second = Math.floor(whole / 1000);
  if (second !== knownSecond) {
    // Without the fraction and the Z: `2026-01-01T00:00:00`.
    knownText = new Date(second * 1000).toISOString().slice(0, -5);
    knownSecond = second;
  }
  const fraction = whole - second * 1000;
  return `${knownText}.${fraction < 100 ? (fraction < 10 ? '00' : '0') : ''}${fraction}Z`;
}
