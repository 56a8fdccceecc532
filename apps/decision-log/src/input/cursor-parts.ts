import { isInstantMs } from './instant-ms.js';
import type { TimeRange } from './time-range.js';

/** Version of all cursors, so that one of another time is no random place. */
const VERSION = 1;

/** What every cursor holds: the range that the first page looked at ("now" is another one by the next), and the place after which the next one begins. */
export interface CursorParts {
  readonly range: TimeRange;
  readonly place: readonly [unknown, unknown];
}

/** An opaque cursor of the question with this digest. */
export function writeCursorParts(digest: string, { range, place }: CursorParts): string {
  return Buffer.from(JSON.stringify([VERSION, digest, range.fromMs, range.toMs, ...place])).toString('base64url');
}

/** What a cursor of this question holds, its place still to be checked; undefined when it is none. */
export function readCursorParts(digest: string, cursor: string): CursorParts | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length !== 6) return undefined;
  const [version, of, fromMs, toMs, ...place]: readonly unknown[] = read;
  if (version !== VERSION || of !== digest || !isInstantMs(fromMs) || !isInstantMs(toMs) || fromMs >= toMs) return undefined;
  return { range: { fromMs, toMs }, place: [place[0], place[1]] };
}
