import { readCursorParts, writeCursorParts } from '../../input/cursor-parts.js';
import { isInstantMs } from '../../input/instant-ms.js';
import type { TimeRange } from '../../input/time-range.js';
import type { AggregateRow } from '../../store/aggregate.js';
import { LONGEST_RANGE_MS } from '../sums/sums-range.js';

/** After which row the next page begins, and the range that the first one looked at: "now" is another one by then. */
export interface UsageCursor {
  readonly range: TimeRange;
  readonly after: Pick<AggregateRow, 'bucketMs' | 'group'>;
}

/** An opaque cursor of the question with this digest. */
export function writeUsageCursor(digest: string, { range, after }: UsageCursor): string {
  return writeCursorParts(digest, { range, place: [after.bucketMs ?? null, after.group] });
}

/** What a cursor of this question holds; undefined when it is none. `shape` is that of the question's rows. */
export function readUsageCursor(digest: string, cursor: string, shape: { readonly bucketed: boolean; readonly dimensions: number }): UsageCursor | undefined {
  const parts = readCursorParts(digest, cursor);
  if (parts === undefined) return undefined;
  const { range, place: [bucketMs, group] } = parts;
  // Anybody can write one: it must not reach further than a question may.
  if (!isGroup(group, shape.dimensions) || range.toMs - range.fromMs > LONGEST_RANGE_MS) return undefined;
  if (!shape.bucketed) return bucketMs === null ? { range, after: { bucketMs: undefined, group } } : undefined;
  return isInstantMs(bucketMs) && bucketMs < range.toMs ? { range, after: { bucketMs, group } } : undefined;
}

function isGroup(value: unknown, dimensions: number): value is readonly (string | null)[] {
  return Array.isArray(value) && value.length === dimensions && value.every((each) => each === null || (typeof each === 'string' && each.length <= 512));
}
