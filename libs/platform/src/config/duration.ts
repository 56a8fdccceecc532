const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `250ms`, `30s`, `5m`, `1h`, `2d` in milliseconds; undefined when the text is none. The unit is required: a bare number has been read as both. */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return undefined;
  const ms = Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** A duration as {@link parseDurationMs} reads it, in the greatest unit that it is whole in. */
export function durationText(ms: number): string {
  const [unit, size] = Object.entries(UNIT_MS).findLast(([, each]) => ms !== 0 && ms % each === 0) ?? ['ms', 1];
  return `${String(ms / size)}${unit}`;
}
