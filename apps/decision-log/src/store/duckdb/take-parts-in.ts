import type { DuckDBConnection } from '@duckdb/node-api';
import type { Logger } from '@sluice/platform';
import { isDamage } from './duckdb-faults.js';
import { findParts } from './found-parts.js';
import { addPart, type Part, partFile } from './parts.js';
import { SCHEMA_VERSION } from './schema.js';
import { setAside } from './set-aside.js';
import { inTransaction } from './transaction.js';
import { measure } from './write-part.js';

/**
 * The first start of a database: the old one was lost or moved away, or there was none. The list is made of the files that lie there; those that cannot be read are set
 * aside, loudly. List and schema version are written in one transaction, so that a start that is cut off is the first one again.
 */
export async function takePartsIn(connection: DuckDBConnection, dir: string, logger: Logger | undefined): Promise<void> {
  const parts: Part[] = [];
  for (const one of await findParts(dir)) {
    try {
      parts.push({ ...one, ...(await measure(connection, partFile(dir, one))) });
    } catch (error) {
      if (!isDamage(error)) throw error;
      logger?.error({ err: error, path: await setAside(dir, one) }, 'a part cannot be read: it is set aside, and its events are not in the store');
    }
  }
  await inTransaction(connection, async () => {
    await connection.run('DELETE FROM parts');
    for (const part of parts) await addPart(connection, part);
    await connection.run(`INSERT INTO store_schema VALUES (${String(SCHEMA_VERSION)})`);
  });
  if (parts.length > 0) logger?.warn({ parts: parts.length }, 'the database is new, and parts lie beside it: they are taken in');
}
