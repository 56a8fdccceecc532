import { createHash } from 'node:crypto';
import { isInstantMs } from '../../input/instant-ms.js';
import type { TimeRange } from '../../input/time-range.js';
import type { DecisionPlace } from '../../store/decision-store.js';

/** Version of all cursors, so that one of another time is no random place. */
const VERSION = 1;

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
  return Buffer.from(JSON.stringify([VERSION, digest, range.fromMs, range.toMs, after.atMs, after.eventId])).toString('base64url');
}

/** What a cursor of this question holds; undefined when it is none. */
export function readCursor(digest: string, cursor: string): DecisionCursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length !== 6) return undefined;
  const [version, of, fromMs, toMs, atMs, eventId]: readonly unknown[] = read;
  if (version !== VERSION || of !== digest || !isInstantMs(fromMs) || !isInstantMs(toMs) || !isInstantMs(atMs) || typeof eventId !== 'string') return undefined;
  return fromMs <= atMs && atMs < toMs ? { range: { fromMs, toMs }, after: { atMs, eventId } } : undefined;
}
