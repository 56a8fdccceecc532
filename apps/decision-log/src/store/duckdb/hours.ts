export const HOUR_MS = 3_600_000;

/** Start of the hour (UTC) that the time is in. */
export function hourOf(atMs: number): number {
  return atMs - (atMs % HOUR_MS);
}

/** Name of an hour's folder: `hour=2026-11-30T14`. */
export function hourFolder(hourMs: number): string {
  return `hour=${new Date(hourMs).toISOString().slice(0, 13)}`;
}

/** The hour that a folder is of; undefined where the name is none of ours. */
export function hourOfFolder(name: string): number | undefined {
  if (!/^hour=\d{4}-\d{2}-\d{2}T\d{2}$/.test(name)) return undefined;
  const hourMs = Date.parse(`${name.slice(5)}:00:00.000Z`);
  return Number.isNaN(hourMs) ? undefined : hourMs;
}
