/**
 * A cursor says after which id a page begins. It names its list and filter too, so that one from another list is an error and not a
 * random place. Ids never change and pages are cut by id, so that a cursor stays good whatever is written meanwhile.
 */
export function encodeCursor(list: string, after: string): string {
  return Buffer.from(JSON.stringify([1, list, after])).toString('base64url');
}

/** The id in a cursor of this list; undefined when it is none. */
export function decodeCursor(list: string, cursor: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,1024}$/.test(cursor)) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [version, of, after]: readonly unknown[] = parts;
  return version === 1 && of === list && typeof after === 'string' && /^[a-zA-Z0-9_.-]{1,64}$/.test(after) ? after : undefined;
}
