import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import { Bindings } from './bindings.js';
import { COLUMN_LIST } from './columns.js';
import { eventsOf, filterSql } from './filter-sql.js';
import { HOUR_MS } from './hours.js';
import type { Reader, TimeRange } from './reader.js';
import { restoreChunk } from './restore-chunk.js';

/** Events of a filter that are sorted at once, as an upper bound of the mean: what a part holds by key has to be put in the order of time. */
const SORTED_AT_ONCE = 250_000;

/**
 * All events of a filter, the oldest first, in chunks of up to 2,048. Each slice of time is a snapshot of its own, so that a slow reader keeps nothing from
 * being tidied up; an event that comes for a time that is over is not seen.
 */
export async function* scanEvents(reader: Reader, filter: DecisionFilter): AsyncGenerator<readonly DecisionEvent[]> {
  for (const range of await slicesOf(reader, filter)) yield* scanSlice(reader, { ...filter, ...range });
}

async function* scanSlice(reader: Reader, filter: DecisionFilter): AsyncGenerator<readonly DecisionEvent[]> {
  const session = await reader.open(filter);
  try {
    const bindings = new Bindings();
    const source = eventsOf(session.files, COLUMN_LIST, bindings);
    const result = await session.step(() =>
      bindings.stream(session.connection, `SELECT ${COLUMN_LIST} FROM ${source} WHERE ${filterSql(filter, bindings)} ORDER BY at_ms, event_id`),
    );
    for (;;) {
      const chunk = await session.step(() => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield restoreChunk(chunk);
    }
  } finally {
    await session.close();
  }
}

/** The hours that hold events of the filter, each cut into as many slices as its events want. */
async function slicesOf(reader: Reader, filter: DecisionFilter): Promise<TimeRange[]> {
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
