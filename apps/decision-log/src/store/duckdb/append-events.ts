import { BIGINT, BOOLEAN, DOUBLE, type DuckDBConnection, DuckDBDataChunk, type DuckDBType, type DuckDBValue, VARCHAR } from '@duckdb/node-api';
import type { DecisionEvent } from '@sluice/events';
import { flattenEvent } from '../flat-event.js';
import { COLUMNS, type ColumnType } from './columns.js';

/** Rows of one of DuckDB's vectors. */
const CHUNK_ROWS = 2048;
const DUCKDB_TYPES: Readonly<Record<ColumnType, DuckDBType>> = { BIGINT, VARCHAR, DOUBLE, BOOLEAN };
const ROW_TYPES = COLUMNS.map(({ type }) => DUCKDB_TYPES[type]);

/** Appends events to the table of the open hours, within the connection's transaction. */
export async function appendEvents(connection: DuckDBConnection, events: readonly DecisionEvent[]): Promise<void> {
  const appender = await connection.createAppender('events');
  try {
    for (let first = 0; first < events.length; first += CHUNK_ROWS) appender.appendDataChunk(chunkOf(events.slice(first, first + CHUNK_ROWS)));
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

function chunkOf(events: readonly DecisionEvent[]): DuckDBDataChunk {
  const rows = events.map(flattenEvent);
  const chunk = DuckDBDataChunk.create(ROW_TYPES, rows.length);
  COLUMNS.forEach(({ name, type }, index) => chunk.setColumnValues(index, rows.map((row) => duckDbValue(row[name], type))));
  return chunk;
}

function duckDbValue(value: string | number | boolean | null, type: ColumnType): DuckDBValue {
  return type === 'BIGINT' && typeof value === 'number' ? BigInt(value) : value;
}
