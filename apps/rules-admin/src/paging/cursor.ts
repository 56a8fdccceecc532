import { readCursorParts, writeCursorParts } from './cursor-parts.js';

/**
 * A cursor says after which id a page begins. It names its list and filter too, so that one from another list is an error and not a
 * random place. Ids never change and pages are cut by id, so that a cursor stays good whatever is written meanwhile.
 */
export function encodeCursor(list: string, after: string): string {
  return writeCursorParts(list, [after]);
}

/** The id in a cursor of this list; undefined when it is none. */
export function decodeCursor(list: string, cursor: string): string | undefined {
  const [after, ...more] = readCursorParts(list, cursor) ?? [];
  return more.length === 0 && typeof after === 'string' && /^[a-zA-Z0-9_.-]{1,64}$/.test(after) ? after : undefined;
}
