import type { DuckDBValue } from '@duckdb/node-api';
import type { Aggregate, AggregateOrder, AggregateRow, Dimension } from '../aggregate.js';
import { afterSql } from './after-sql.js';
import { Bindings } from './bindings.js';
import { eventsOf, filterSql } from './filter-sql.js';
import type { ReadSession } from './reader.js';

/** The column of each dimension as text: what comes from outside selects one of these, and never is one. */
const DIMENSIONS: Readonly<Record<Dimension, string>> = {
  domain: 'domain',
  plan: 'plan',
  endpoint: 'endpoint',
  key_id: 'key_id',
  tenant_id: 'tenant_id',
  user_id: 'user_id',
  ip: 'ip',
  rule_id: 'rule_id',
  rule_version: 'rule_version::VARCHAR',
  region: 'region',
  node_id: 'node_id',
  kind: 'kind',
  reason: 'reason',
  source: 'source',
};

const WEIGHT = '1 / sampled_share';
const SUMS = {
  events: 'count(*)',
  requests: `sum(${WEIGHT})`,
  allowed: `coalesce(sum(${WEIGHT}) FILTER (WHERE allowed), 0)`,
  refused: `coalesce(sum(${WEIGHT}) FILTER (WHERE NOT allowed), 0)`,
  allowed_cost: `coalesce(sum(cost * (${WEIGHT})) FILTER (WHERE allowed), 0)`,
  all_cost: `sum(cost * (${WEIGHT}))`,
  variance: 'sum((1 - sampled_share) / (sampled_share * sampled_share))',
  first_ms: 'min(at_ms)',
  last_ms: 'max(at_ms)',
} as const;

const MEASURES: Readonly<Record<AggregateOrder, string>> = { requests: 'requests', refused: 'refused', distinct_keys: 'distinct_keys' };

/** Sums of the events of a filter by groups and buckets. */
export async function aggregateEvents(session: ReadSession, query: Aggregate): Promise<AggregateRow[]> {
  const { filter, groupBy, bucketMs, distinctKeys = false, atLeast, orderBy, after, limit } = query;
  const bindings = new Bindings();
  const source = eventsOf(session.files, '*', bindings);
  const counted = distinctKeys || orderBy === 'distinct_keys' || atLeast?.measure === 'distinct_keys';
  const groups = groupBy.map((_, index) => `group_${String(index)}`);
  const keys = [...(bucketMs === undefined ? [] : ['bucket_ms']), ...groups];
  const selected = [
    ...(bucketMs === undefined ? [] : [`at_ms - at_ms % ${bindings.integer(bucketMs)} AS bucket_ms`]),
    ...groupBy.map((dimension, index) => `${DIMENSIONS[dimension]} AS group_${String(index)}`),
    ...Object.entries(SUMS).map(([name, sum]) => `${sum} AS ${name}`),
    ...(counted ? ['count(DISTINCT key_id) AS distinct_keys'] : []),
  ];
  const order = [...(orderBy === undefined ? [] : [`${MEASURES[orderBy]} DESC`]), ...keys.map((key) => `${key} NULLS LAST`)];
  const having = [
    'count(*) > 0',
    ...(atLeast === undefined ? [] : [`${MEASURES[atLeast.measure]} >= ${bindings.double(atLeast.value)}`]),
    ...(after === undefined ? [] : [afterSql(groups, after, bindings)]),
  ];
  const result = await bindings.run(
    session.connection,
    [
      `SELECT ${selected.join(', ')} FROM ${source} WHERE ${filterSql(filter, bindings)}`,
      keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : '',
      // Without groups there is a row of nothing even where there are no events.
      `HAVING ${having.join(' AND ')}`,
      order.length > 0 ? `ORDER BY ${order.join(', ')}` : '',
      `LIMIT ${bindings.integer(limit)}`,
    ].join('\n'),
  );
  const names = result.columnNames();
  return (await result.getRows()).map((row) => aggregateRow(names, row, { groups: groupBy.length, distinctKeys }));
}

function aggregateRow(names: readonly string[], row: readonly DuckDBValue[], { groups, distinctKeys }: { readonly groups: number; readonly distinctKeys: boolean }): AggregateRow {
  const value = (name: string): DuckDBValue | undefined => row[names.indexOf(name)];
  const number = (name: string): number => Number(value(name) ?? 0);
  return {
    bucketMs: names.includes('bucket_ms') ? number('bucket_ms') : undefined,
    group: Array.from({ length: groups }, (_, index) => textOrNull(value(`group_${String(index)}`))),
    events: number('events'),
    requests: number('requests'),
    allowed: number('allowed'),
    refused: number('refused'),
    allowedCost: number('allowed_cost'),
    cost: number('all_cost'),
    variance: number('variance'),
    distinctKeys: distinctKeys ? number('distinct_keys') : undefined,
    firstMs: number('first_ms'),
    lastMs: number('last_ms'),
  };
}

function textOrNull(value: DuckDBValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
