import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Logger } from '@sluice/platform';
import { PARTS_FOLDER } from './database.js';
import { hourOfFolder } from './hours.js';
import { addPart, dropParts, listParts, partFile } from './parts.js';
import { inTransaction } from './transaction.js';
import { measure, UNFINISHED } from './write-part.js';

/** What a part's file is called. */
const PART_NAME = /^[0-9a-f-]{36}\.parquet$/;

/**
 * Brings files and list together at the start. Files that a crash left on no list go. Of a database that is new (the old one was lost or moved away) the list is
 * made of the files that lie there instead. A part on the list whose file is gone is taken off it, loudly.
 */
export async function sweepParts(connection: DuckDBConnection, dir: string, isNew: boolean, logger: Logger | undefined): Promise<void> {
  await mkdir(join(dir, PARTS_FOLDER), { recursive: true, mode: 0o700 });
  const listed = await listParts(connection);
  const names = new Set(listed.map(({ path }) => path));
  const found = await filesOf(dir);
  for (const { path, hourMs } of found) {
    if (names.has(path)) continue;
    const file = partFile(dir, { path });
    if (!isNew || path.endsWith(UNFINISHED)) await rm(file, { force: true });
    else await addPart(connection, { path, hourMs, ...(await measure(connection, file)) });
  }
  if (isNew && found.length > 0) logger?.warn({ parts: found.length }, 'the database is new, and parts lie beside it: they are taken in');
  const there = new Set(found.map(({ path }) => path));
  const missing = listed.filter(({ path }) => !there.has(path));
  if (missing.length === 0) return;
  await inTransaction(connection, () => dropParts(connection, missing));
  logger?.error({ paths: missing.map(({ path }) => path), events: missing.reduce((sum, { rows }) => sum + rows, 0) }, 'parts of the store are gone, and with them their events');
}

async function filesOf(dir: string): Promise<{ path: string; hourMs: number }[]> {
  const found: { path: string; hourMs: number }[] = [];
  for (const folder of await readdir(join(dir, PARTS_FOLDER))) {
    const hourMs = hourOfFolder(folder);
    if (hourMs === undefined) continue;
    for (const name of await readdir(join(dir, PARTS_FOLDER, folder))) {
      if (PART_NAME.test(name.endsWith(UNFINISHED) ? name.slice(0, -UNFINISHED.length) : name)) found.push({ path: `${folder}/${name}`, hourMs });
    }
  }
  return found;
}
