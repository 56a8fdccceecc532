import { invalid } from './invalid.js';

/** How far back a question looks that names no start. */
const DEFAULT_SPAN_MS = 3_600_000;

/** From the first ms that counts to the first that does not. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The range of `from` (inclusive) and `to` (exclusive), both as `IsInstant` takes them: by default up to now, and an hour back from the end.
 *
 * @throws ProblemException 400 where `from` is not before `to`
 */
export function timeRange({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }, nowMs = Date.now()): TimeRange {
  // What is decided in this very millisecond counts.
  const toMs = to === undefined ? nowMs + 1 : Date.parse(to);
  const fromMs = from === undefined ? Math.max(0, toMs - DEFAULT_SPAN_MS) : Date.parse(from);
  if (fromMs >= toMs) throw invalid([{ pointer: '/query/from', detail: 'must be before `to` (default: now)' }]);
  return { fromMs, toMs };
}
