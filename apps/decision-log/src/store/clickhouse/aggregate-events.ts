import type { Aggregate, AggregateRow } from '../aggregate.js';
import { aggregateRow, aggregateSql } from '../sql/aggregate-sql.js';
import { Bindings } from './bindings.js';
import type { ClickHouseSession } from './clickhouse-session.js';
import { conditionSql } from './condition-sql.js';

/** Sums of the events of a filter by groups and buckets. */
export async function aggregateEvents(session: ClickHouseSession, query: Aggregate): Promise<AggregateRow[]> {
  const bindings = new Bindings();
  const source = { from: 'decisions FINAL', where: conditionSql(query.filter, bindings), ruleVersionText: 'toString(rule_version)' };
  const rows = await session.read<Readonly<Record<string, unknown>>>(aggregateSql(query, source, bindings), bindings);
  return rows.map((row) => aggregateRow(row, query));
}
