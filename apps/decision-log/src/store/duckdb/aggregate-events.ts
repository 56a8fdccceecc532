import type { DuckDBMaterializedResult } from '@duckdb/node-api';
import type { Aggregate, AggregateRow } from '../aggregate.js';
import { aggregateRow, aggregateSql } from '../sql/aggregate-sql.js';
import { Bindings } from './bindings.js';
import { eventsOf, filterSql } from './filter-sql.js';
import type { ReadSession } from './reader.js';
import { valuesOf } from './read-vector.js';

/** Rows by the names of their columns. */
async function rowsOf(result: DuckDBMaterializedResult): Promise<Readonly<Record<string, unknown>>[]> {
  const names = result.columnNames();
  const types = result.columnTypes();
  return (await result.fetchAllChunks()).flatMap((chunk) => {
    const columns = types.map((type, column) => valuesOf(chunk, column, type));
    return Array.from({ length: chunk.rowCount }, (_, row) => Object.fromEntries(names.map((name, column) => [name, columns[column]?.[row]])));
  });
}

/** Sums of the events of a filter by groups and buckets. */
export async function aggregateEvents(session: ReadSession, query: Aggregate): Promise<AggregateRow[]> {
  const bindings = new Bindings();
  const source = { from: eventsOf(session.files, '*', bindings), where: filterSql(query.filter, bindings), ruleVersionText: 'rule_version::VARCHAR' };
  const result = await bindings.run(session.connection, aggregateSql(query, source, bindings));
  return (await rowsOf(result)).map((row) => aggregateRow(row, query));
}
