/** After which key a page of a report begins. */
export interface KeyPlace {
  readonly denied: number;
  readonly key: string;
}

/** Counts go on while somebody pages; with a `to` that is over and complete the pages fit together. */
export function writeKeyCursor({ denied, key }: KeyPlace): string {
  return Buffer.from(JSON.stringify([1, 'shadow-report', denied, key])).toString('base64url');
}

/** Undefined for what is no cursor of a report. */
export function readKeyCursor(cursor: string): KeyPlace | undefined {
  if (!/^[A-Za-z0-9_-]{1,1024}$/.test(cursor)) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 4) return undefined;
  const [version, list, denied, key]: readonly unknown[] = parts;
  const isPlace = version === 1 && list === 'shadow-report' && typeof denied === 'number' && Number.isSafeInteger(denied) && typeof key === 'string' && !key.includes('\0');
  return isPlace ? { denied, key } : undefined;
}
