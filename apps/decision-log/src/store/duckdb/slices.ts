import type { DecisionFilter } from '../decision-filter.js';
import { Bindings } from './bindings.js';
import { eventsOf, filterSql } from './filter-sql.js';
import { HOUR_MS } from './hours.js';
import type { Reader, TimeRange } from './reader.js';

/** Events of a filter that are sorted at once, as an upper bound of the mean: what a part holds by key has to be put in the order of time. */
const SORTED_AT_ONCE = 250_000;

/** The hours that hold events of the filter, each cut into as many slices as its events want. */
export async function slicesOf(reader: Reader, filter: DecisionFilter): Promise<TimeRange[]> {
  const counts = await reader.read(filter, async (session) => {
    const bindings = new Bindings();
    const source = eventsOf(session.files, '*', bindings);
    const hour = bindings.integer(HOUR_MS);
    const result = await bindings.run(
      session.connection,
      `SELECT at_ms - at_ms % ${hour} AS hour_ms, count(*) FROM ${source} WHERE ${filterSql(filter, bindings)} GROUP BY hour_ms ORDER BY hour_ms`,
    );
    return (await result.getRows()).map(([hourMs, count]) => ({ hourMs: Number(hourMs), count: Number(count) }));
  });
  return counts.flatMap(({ hourMs, count }) => cut({ fromMs: Math.max(hourMs, filter.fromMs), toMs: Math.min(hourMs + HOUR_MS, filter.toMs) }, Math.ceil(count / SORTED_AT_ONCE)));
}

function cut({ fromMs, toMs }: TimeRange, pieces: number): TimeRange[] {
  const edge = (index: number): number => fromMs + Math.floor(((toMs - fromMs) * index) / pieces);
  return Array.from({ length: pieces }, (_, index) => ({ fromMs: edge(index), toMs: edge(index + 1) })).filter((range) => range.fromMs < range.toMs);
}
