import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Logger } from '@sluice/platform';
import { findParts } from './found-parts.js';
import { forgetGone, listLoose } from './loose-files.js';
import { dropParts, listParts, partFile } from './parts.js';
import { setAside } from './set-aside.js';
import { inTransaction } from './transaction.js';

/**
 * Brings files and list together at the start. Files that a crash of ours left go; those that nothing of ours explains are set aside, loudly. A part on the list whose
 * file is gone is taken off it, loudly too.
 */
export async function sweepParts(connection: DuckDBConnection, dir: string, logger: Logger | undefined): Promise<void> {
  const listed = await listParts(connection);
  const names = new Set(listed.map(({ path }) => path));
  const loose = new Set(await listLoose(connection));
  const found = await findParts(dir);
  const there = new Set(found.map(({ path }) => path));
  const missing = listed.filter(({ path }) => !there.has(path));
  // Parts that are gone are no work of ours either: what the database says may go is then as doubtful as the rest.
  const isOurs = missing.length === 0;
  const strange: string[] = [];
  for (const { path } of found) {
    if (names.has(path)) continue;
    if (isOurs && loose.has(path)) await rm(partFile(dir, { path }), { force: true });
    else strange.push(await setAside(dir, { path }));
  }
  await forgetGone(connection, dir);
  if (strange.length > 0) {
    logger?.error({ paths: strange }, 'parts lie here that the database does not know, as after an older one was put back: they are set aside. Where they count and it does not, move them back and the database away, and start again');
  }
  if (missing.length === 0) return;
  await inTransaction(connection, () => dropParts(connection, missing));
  logger?.error({ paths: missing.map(({ path }) => path), events: missing.reduce((sum, { rows }) => sum + rows, 0) }, 'parts of the store are gone, and with them their events');
}
