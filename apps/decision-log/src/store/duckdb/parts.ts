import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Bindings } from './bindings.js';
import { PARTS_FOLDER } from './database.js';

/** A Parquet file of events of one hour, sorted by key and then time. */
export interface Part {
  /** Below the folder of the parts, with `/`. */
  readonly path: string;
  readonly hourMs: number;
  readonly rows: number;
  readonly bytes: number;
  /** Times of its first and its last event. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** The parts that may hold events of the range; all unless it is given. */
export async function listParts(connection: DuckDBConnection, range?: { readonly fromMs: number; readonly toMs: number }): Promise<Part[]> {
  const bindings = new Bindings();
  const where = range === undefined ? '' : `WHERE last_ms >= ${bindings.integer(range.fromMs)} AND first_ms < ${bindings.integer(range.toMs)}`;
  const result = await bindings.run(connection, `SELECT path, hour_ms, row_count, bytes, first_ms, last_ms FROM parts ${where} ORDER BY hour_ms, path`);
  return (await result.getRows()).map(([path, hourMs, rows, bytes, firstMs, lastMs]) => ({
    path: String(path),
    hourMs: Number(hourMs),
    rows: Number(rows),
    bytes: Number(bytes),
    firstMs: Number(firstMs),
    lastMs: Number(lastMs),
  }));
}

export async function addPart(connection: DuckDBConnection, part: Part): Promise<void> {
  const bindings = new Bindings();
  const values = [bindings.text(part.path), ...[part.hourMs, part.rows, part.bytes, part.firstMs, part.lastMs].map((value) => bindings.integer(value))];
  await bindings.run(connection, `INSERT INTO parts VALUES (${values.join(', ')})`);
}

export async function dropParts(connection: DuckDBConnection, parts: readonly Part[]): Promise<void> {
  const bindings = new Bindings();
  await bindings.run(connection, `DELETE FROM parts WHERE list_contains(${bindings.texts(parts.map(({ path }) => path))}, path)`);
}

/** Where the file of a part lies. */
export function partFile(dir: string, { path }: Pick<Part, 'path'>): string {
  return join(dir, PARTS_FOLDER, path);
}
