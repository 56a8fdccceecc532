import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { DecisionEvent } from '@sluice/events';
import { COLUMNS } from './columns.js';
import { CHUNK_ROWS } from './fill-vector.js';

const ROW_TYPES = COLUMNS.map(({ type }) => type);

/** Appends events to the table of the open hours, within the connection's transaction. */
export async function appendEvents(connection: DuckDBConnection, events: readonly DecisionEvent[]): Promise<void> {
  const appender = await connection.createAppender('events');
  try {
    for (let first = 0; first < events.length; first += CHUNK_ROWS) {
      // A large batch does not hold up what is asked meanwhile.
      if (first > 0) await nextTurn();
      appender.appendDataChunk(chunkOf(events.slice(first, first + CHUNK_ROWS)));
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

function chunkOf(events: readonly DecisionEvent[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(ROW_TYPES, events.length);
  COLUMNS.forEach(({ fill }, index) => fill(duckdb.data_chunk_get_vector(chunk.chunk, index), events));
  return chunk;
}
