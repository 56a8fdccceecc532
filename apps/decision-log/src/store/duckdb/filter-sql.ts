import type { DecisionFilter } from '../decision-filter.js';
import { filterSql as commonFilterSql } from '../sql/filter-sql.js';
import type { Bindings } from './bindings.js';

const DIALECT = { moreLimitsHas: (needle: string) => `contains(more_limits, ${needle})` };

/** The condition of a filter; its values go into the bindings. */
export function filterSql(filter: DecisionFilter, bindings: Bindings): string {
  return commonFilterSql(filter, bindings, DIALECT);
}

/** The events of the table and of those parts, as what a `SELECT` reads from; conditions on it reach both. */
export function eventsOf(files: readonly string[], columns: string, bindings: Bindings): string {
  if (files.length === 0) return `(SELECT ${columns} FROM events)`;
  return `(SELECT ${columns} FROM events UNION ALL SELECT ${columns} FROM read_parquet(${bindings.texts(files)}, hive_partitioning = false))`;
}
