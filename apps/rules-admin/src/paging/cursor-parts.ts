/** Version of all cursors, so that one of another time is no random place. */
const VERSION = 1;

/** An opaque cursor that holds these, and the list that it is of. */
export function writeCursorParts(list: string, parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([VERSION, list, ...parts])).toString('base64url');
}

/** What a cursor of this list holds; undefined when it is none. */
export function readCursorParts(list: string, cursor: string): readonly unknown[] | undefined {
  if (!/^[A-Za-z0-9_-]{1,1024}$/.test(cursor)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(read)) return undefined;
  const [version, of, ...parts]: readonly unknown[] = read;
  return version === VERSION && of === list ? parts : undefined;
}
