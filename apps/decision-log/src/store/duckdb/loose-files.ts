import { access } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Bindings } from './bindings.js';
import { listParts, partFile } from './parts.js';

/**
 * Files that are ours and may go: those that are being written, and those that were taken off the list of parts. A crash leaves them lying; what lies there and is
 * neither here nor on the list of parts is of somebody else, such as of a newer database in whose place an older one was put back, and is never removed.
 */
export async function noteLoose(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  const bindings = new Bindings();
  await bindings.run(connection, `INSERT INTO loose_files SELECT unnest(${bindings.texts(paths)})`);
}

/** They are parts now, or are gone. */
export async function forgetLoose(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  const bindings = new Bindings();
  await bindings.run(connection, `DELETE FROM loose_files WHERE list_contains(${bindings.texts(paths)}, path)`);
}

/** Those that may go: none of the parts, whatever else is known of it. */
export async function listLoose(connection: DuckDBConnection): Promise<string[]> {
  const parts = new Set((await listParts(connection)).map(({ path }) => path));
  const result = await new Bindings().run(connection, 'SELECT DISTINCT path FROM loose_files');
  return (await result.getRows()).map(([path]) => String(path)).filter((path) => !parts.has(path));
}

/** Forgets those that are gone. To be called while nothing is being written. */
export async function forgetGone(connection: DuckDBConnection, dir: string): Promise<void> {
  const gone: string[] = [];
  for (const path of await listLoose(connection)) {
    if (!(await exists(partFile(dir, { path })))) gone.push(path);
  }
  if (gone.length > 0) await forgetLoose(connection, gone);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
