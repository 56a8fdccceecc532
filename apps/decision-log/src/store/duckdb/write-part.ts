import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Bindings } from './bindings.js';
import { COLUMN_LIST } from './columns.js';
import { hourFolder } from './hours.js';
import { type Part, partFile } from './parts.js';

/** What a name has while the file is being written. */
export const UNFINISHED = '.tmp';

/** Rows of a row group: the least that a query of one key reads of a part. */
const ROW_GROUP_ROWS = 32_768;

/** A part that is to be written. */
export type NewPart = Pick<Part, 'path' | 'hourMs'>;

/** One under a name that no other has. */
export function newPart(hourMs: number): NewPart {
  return { path: `${hourFolder(hourMs)}/${randomUUID()}.parquet`, hourMs };
}

/**
 * Writes events of one hour as a part, sorted, and makes it durable under its name; it counts once it is on the list, which the caller's transaction sees to.
 * @param source what the events are selected from, its values in the bindings
 */
export async function writePart(connection: DuckDBConnection, dir: string, { path, hourMs }: NewPart, source: string, bindings: Bindings): Promise<Part> {
  const file = partFile(dir, { path });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await bindings.run(
      connection,
      `COPY (SELECT ${COLUMN_LIST} FROM ${source} ORDER BY key_id, at_ms, event_id)
       TO ${bindings.text(file + UNFINISHED)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${String(ROW_GROUP_ROWS)})`,
    );
    await sync(file + UNFINISHED);
    await rename(file + UNFINISHED, file);
    await sync(dirname(file));
    return { path, hourMs, ...(await measure(connection, file)) };
  } catch (error) {
    await removePart(dir, { path });
    throw error;
  }
}

/** Takes away what {@link writePart} left, in whatever state. */
export async function removePart(dir: string, part: Pick<Part, 'path'>): Promise<void> {
  const file = partFile(dir, part);
  await rm(file + UNFINISHED, { force: true });
  await rm(file, { force: true });
}

/** What the list says of a file, read from the file itself. */
export async function measure(connection: DuckDBConnection, file: string): Promise<Pick<Part, 'rows' | 'bytes' | 'firstMs' | 'lastMs'>> {
  const bindings = new Bindings();
  // All columns are named, so that a file that lacks one is refused here, and not by every query to come.
  const result = await bindings.run(connection, `SELECT count(*), min(at_ms), max(at_ms) FROM (SELECT ${COLUMN_LIST} FROM read_parquet(${bindings.texts([file])}, hive_partitioning = false))`);
  const [rows, firstMs, lastMs] = (await result.getRows())[0] ?? [];
  return { rows: Number(rows), bytes: (await stat(file)).size, firstMs: Number(firstMs), lastMs: Number(lastMs) };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
