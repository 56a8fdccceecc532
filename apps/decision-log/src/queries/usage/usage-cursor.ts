import { isInstantMs } from '../../input/instant-ms.js';
import type { TimeRange } from '../../input/time-range.js';
import type { AggregateRow } from '../../store/aggregate.js';
import { LONGEST_RANGE_MS } from '../sums/sums-range.js';

/** Version of all cursors, so that one of another time is no random place. */
const VERSION = 1;

/** After which row the next page begins, and the range that the first one looked at: "now" is another one by then. */
export interface UsageCursor {
  readonly range: TimeRange;
  readonly after: Pick<AggregateRow, 'bucketMs' | 'group'>;
}

/** An opaque cursor of the question with this digest. */
export function writeUsageCursor(digest: string, { range, after }: UsageCursor): string {
  return Buffer.from(JSON.stringify([VERSION, digest, range.fromMs, range.toMs, after.bucketMs ?? null, after.group])).toString('base64url');
}

/** What a cursor of this question holds; undefined when it is none. `shape` is that of the question's rows. */
export function readUsageCursor(digest: string, cursor: string, shape: { readonly bucketed: boolean; readonly dimensions: number }): UsageCursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length !== 6) return undefined;
  const [version, of, fromMs, toMs, bucketMs, group]: readonly unknown[] = read;
  if (version !== VERSION || of !== digest || !isInstantMs(fromMs) || !isInstantMs(toMs) || fromMs >= toMs || !isGroup(group, shape.dimensions)) return undefined;
  // Anybody can write one: it must not reach further than a question may.
  if (toMs - fromMs > LONGEST_RANGE_MS) return undefined;
  const range = { fromMs, toMs };
  if (!shape.bucketed) return bucketMs === null ? { range, after: { bucketMs: undefined, group } } : undefined;
  return isInstantMs(bucketMs) && bucketMs < toMs ? { range, after: { bucketMs, group } } : undefined;
}

function isGroup(value: unknown, dimensions: number): value is readonly (string | null)[] {
  return Array.isArray(value) && value.length === dimensions && value.every((each) => each === null || (typeof each === 'string' && each.length <= 512));
}
