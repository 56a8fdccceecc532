import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api';
import type { DecisionEvent } from '@sluice/events';
import { type FlatEvent, restoreEvent } from '../flat-event.js';
import { COLUMNS } from './columns.js';
import { valuesOf } from './read-vector.js';

/** The events of a chunk whose columns are those of `COLUMNS`, in their order. */
export function restoreChunk(chunk: DuckDBDataChunk): DecisionEvent[] {
  const columns = COLUMNS.map(({ type }, column) => valuesOf(chunk, column, type));
  return Array.from({ length: chunk.rowCount }, (_, index) => restoreEvent(rowAt(columns, index)));
}

function rowAt(columns: readonly (readonly DuckDBValue[])[], index: number): FlatEvent {
  const row: Partial<Record<keyof FlatEvent, string | number | boolean | null>> = {};
  for (let column = 0; column < COLUMNS.length; column += 1) {
    const name = COLUMNS[column]?.name;
    if (name !== undefined) row[name] = plain(columns[column]?.[index]);
  }
  return row as FlatEvent;
}

function plain(value: DuckDBValue | undefined): string | number | boolean | null {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
