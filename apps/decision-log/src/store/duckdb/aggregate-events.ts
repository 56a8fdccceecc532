import type { Aggregate, AggregateRow } from '../aggregate.js';
import { aggregateRow, aggregateSql } from '../sql/aggregate-sql.js';
import { Bindings } from './bindings.js';
import { eventsOf, filterSql } from './filter-sql.js';
import type { ReadSession } from './reader.js';

/** Sums of the events of a filter by groups and buckets. */
export async function aggregateEvents(session: ReadSession, query: Aggregate): Promise<AggregateRow[]> {
  const bindings = new Bindings();
  const source = { from: eventsOf(session.files, '*', bindings), where: filterSql(query.filter, bindings), ruleVersionText: 'rule_version::VARCHAR' };
  const result = await bindings.run(session.connection, aggregateSql(query, source, bindings));
  return (await result.getRowObjects()).map((row) => aggregateRow(row, query));
}
