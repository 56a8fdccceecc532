import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import { Bindings } from './bindings.js';
import { COLUMN_LIST } from './columns.js';
import { eventsOf, filterSql } from './filter-sql.js';
import type { Reader } from './reader.js';
import { restoreChunk } from './restore-chunk.js';
import { slicesOf } from './slices.js';

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
