import { readCursorParts, writeCursorParts } from '../paging/cursor-parts.js';

const LIST = 'shadow-report';

/** After which key a page of a report begins. */
export interface KeyPlace {
  readonly denied: number;
  readonly key: string;
}

/** Counts go on while somebody pages; with a `to` that is over and complete the pages fit together. */
export function writeKeyCursor({ denied, key }: KeyPlace): string {
  return writeCursorParts(LIST, [denied, key]);
}

/** Undefined for what is no cursor of a report. */
export function readKeyCursor(cursor: string): KeyPlace | undefined {
  const [denied, key, ...more] = readCursorParts(LIST, cursor) ?? [];
  const isPlace = more.length === 0 && typeof denied === 'number' && Number.isSafeInteger(denied) && typeof key === 'string' && !key.includes('\0');
  return isPlace ? { denied, key } : undefined;
}
