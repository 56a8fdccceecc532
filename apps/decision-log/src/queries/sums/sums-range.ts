import { invalid } from '../../input/invalid.js';
import { timeRange, type TimeRange } from '../../input/time-range.js';

/** The longest range of a question for sums. */
export const LONGEST_RANGE_MS = 31 * 86_400_000;

/**
 * The range of a question for sums.
 *
 * @throws ProblemException 400 where it is none, is longer than 31 days, or begins in the future
 */
export function sumsRange(query: { readonly from?: string | undefined; readonly to?: string | undefined }, nowMs = Date.now()): TimeRange {
  const { from, to } = query;
  if (from !== undefined && Date.parse(from) > nowMs) throw invalid([{ pointer: '/query/from', detail: `is in the future; it is ${new Date(nowMs).toISOString()}` }]);
  const range = timeRange(query, nowMs);
  if (from === undefined && range.fromMs > nowMs) throw invalid([{ pointer: '/query/to', detail: 'is so far in the future that the hour before it is too; name `from`' }]);
  if (range.toMs - range.fromMs > LONGEST_RANGE_MS) throw invalid([{ pointer: '/query/from', detail: `must be at most 31 days before \`to\`${to === undefined ? ' (default: now)' : ''}` }]);
  return range;
}
