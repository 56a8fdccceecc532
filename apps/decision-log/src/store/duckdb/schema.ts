import { COLUMNS } from './columns.js';

/** What a database of ours says that it is; a greater number was written by a later release. */
export const SCHEMA_VERSION = 1;

/**
 * `events` are the rows of the open hours, `parts` the Parquet files that hold the others, `producers` the highest sequence that was stored of each producer and
 * partition. One transaction covers all three: what is visible, and what counts as a repeat, changes at once.
 * `loose_files` are files of parts that are none (yet, or any more). The row of `store_schema` is written last: without it nothing else here holds.
 */
export const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS store_schema (version BIGINT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS events (${COLUMNS.map(({ name, type }) => `${name} ${String(type)}`).join(', ')})`,
  `CREATE TABLE IF NOT EXISTS parts (path VARCHAR NOT NULL, hour_ms BIGINT NOT NULL, row_count BIGINT NOT NULL, bytes BIGINT NOT NULL, first_ms BIGINT NOT NULL, last_ms BIGINT NOT NULL)`,
  'CREATE TABLE IF NOT EXISTS loose_files (path VARCHAR NOT NULL)',
  `CREATE TABLE IF NOT EXISTS producers ("partition" BIGINT, producer VARCHAR, highest BIGINT NOT NULL, seen_ms BIGINT NOT NULL, PRIMARY KEY ("partition", producer))`,
] as const;
