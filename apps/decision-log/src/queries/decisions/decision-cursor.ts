import { createHash } from 'node:crypto';
import { readCursorParts, writeCursorParts } from '../../input/cursor-parts.js';
import { isInstantMs } from '../../input/instant-ms.js';
import type { TimeRange } from '../../input/time-range.js';
import type { DecisionPlace } from '../../store/decision-store.js';

/** Where the next page begins, and the range that the first one looked at: "now" is another one by then. */
export interface DecisionCursor {
  readonly range: TimeRange;
  readonly after: DecisionPlace;
}

/** Names a question, so that a cursor of another one is an error and not a random place. */
export function questionDigest(question: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(question).filter(([, value]) => value !== undefined);
  return createHash('sha256').update(JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)))).digest('base64url').slice(0, 16);
}

/** An opaque cursor of the question with this digest. */
export function writeCursor(digest: string, { range, after }: DecisionCursor): string {
  return writeCursorParts(digest, { range, place: [after.atMs, after.eventId] });
}

/** What a cursor of this question holds; undefined when it is none. */
export function readCursor(digest: string, cursor: string): DecisionCursor | undefined {
  const parts = readCursorParts(digest, cursor);
  if (parts === undefined) return undefined;
  const { range, place: [atMs, eventId] } = parts;
  if (!isInstantMs(atMs) || typeof eventId !== 'string') return undefined;
  return range.fromMs <= atMs && atMs < range.toMs ? { range, after: { atMs, eventId } } : undefined;
}
