import { access, constants, realpath } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StartError } from '@sluice/platform';
import type { DecisionStore } from '../decision-store.js';
import { Database } from './database.js';
import { DuckDbStore } from './duckdb-store.js';
import { duckDbSettings, type DuckDbSettings, type DuckDbStoreOptions } from './duckdb-store-options.js';
import { makeOwnFolder } from './make-own-folder.js';
import { PartFiles } from './part-files.js';
import { SCHEMA, SCHEMA_VERSION } from './schema.js';
import { startFault } from './start-fault.js';
import { sweepParts } from './sweep-parts.js';
import { takePartsIn } from './take-parts-in.js';

/** Folders that this process has open: DuckDB's lock on the file holds between processes only. */
const OPEN = new Set<string>();

/**
 * Opens the embedded store in a folder, and makes it there where there is none (R81, R90). One process at a time may have it open.
 * @throws StartError in words for who runs it: no folder that can be written, in use by another process, damaged, written by a later release
 */
export async function openDuckDbStore(options: DuckDbStoreOptions): Promise<DecisionStore> {
  const settings = duckDbSettings(options);
  const { dir, logger } = settings;
  const place = await ownFolder(dir);
  if (OPEN.has(place)) throw new StartError(`the decisions in ${dir} are open in this process already`);
  OPEN.add(place);
  try {
    const database = await Database.open(settings);
    try {
      await database.use((connection) => prepare(connection, settings));
    } catch (error) {
      await database.close();
      throw error;
    }
    const files = new PartFiles((path, error) => logger?.warn({ err: error, path }, 'a file of a part that is no longer needed cannot be removed'));
    return new DuckDbStore(settings, database, files, () => OPEN.delete(place));
  } catch (error) {
    OPEN.delete(place);
    throw startFault(error, dir);
  }
}

async function ownFolder(dir: string): Promise<string> {
  try {
    await makeOwnFolder(dir);
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dir);
  } catch (error) {
    throw startFault(error, dir);
  }
}

async function prepare(connection: DuckDBConnection, { dir, logger }: DuckDbSettings): Promise<void> {
  for (const statement of SCHEMA) await connection.run(statement);
  const [version] = (await (await connection.run('SELECT max(version) FROM store_schema')).getRows())[0] ?? [];
  if (version === null || version === undefined) return takePartsIn(connection, dir, logger);
  if (Number(version) > SCHEMA_VERSION) throw new StartError(`the decisions in ${dir} were written by a later release of Sluice: start that one, or give SLUICE_DECISION_LOG_DIR another folder`);
  await sweepParts(connection, dir, logger);
}
