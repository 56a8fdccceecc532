import type { Aggregate, AggregateOrder, AggregateRow, Dimension } from '../aggregate.js';
import { afterSql } from './after-sql.js';
import { Bindings } from './bindings.js';
import type { ClickHouseSession } from './clickhouse-session.js';
import { filterSql } from './filter-sql.js';

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
  rule_version: 'toString(rule_version)',
  region: 'region',
  node_id: 'node_id',
  kind: 'kind',
  reason: 'reason',
  source: 'source',
};

const WEIGHT = '1 / sampled_share';
/** None of the names is that of a column: ClickHouse would take the sum for the column in the next one. */
const SUMS = {
  event_count: 'count()',
  request_sum: `sum(${WEIGHT})`,
  allowed_sum: `sumIf(${WEIGHT}, allowed)`,
  refused_sum: `sumIf(${WEIGHT}, NOT allowed)`,
  allowed_cost_sum: `sumIf(cost * (${WEIGHT}), allowed)`,
  cost_sum: `sum(cost * (${WEIGHT}))`,
  variance_sum: 'sum((1 - sampled_share) / (sampled_share * sampled_share))',
  first_ms: 'min(at_ms)',
  last_ms: 'max(at_ms)',
} as const;

const MEASURES: Readonly<Record<AggregateOrder, string>> = { requests: 'request_sum', refused: 'refused_sum', distinct_keys: 'distinct_keys' };

type SumRow = Readonly<Record<keyof typeof SUMS, number>> & {
  readonly bucket_ms?: number;
  readonly group_values: readonly (string | null)[];
  readonly distinct_keys?: number;
};

/** Sums of the events of a filter by groups and buckets. */
export async function aggregateEvents(session: ClickHouseSession, query: Aggregate): Promise<AggregateRow[]> {
  const { filter, groupBy, bucketMs, distinctKeys = false, atLeast, orderBy, after, limit } = query;
  const bindings = new Bindings();
  const counted = distinctKeys || orderBy === 'distinct_keys' || atLeast?.measure === 'distinct_keys';
  const groups = groupBy.map((_, index) => `group_${String(index)}`);
  const keys = [...(bucketMs === undefined ? [] : ['bucket_ms']), ...groups];
  const selected = [
    ...(bucketMs === undefined ? [] : [`at_ms - at_ms % ${bindings.integer(bucketMs)} AS bucket_ms`]),
    ...groupBy.map((dimension, index) => `${DIMENSIONS[dimension]} AS group_${String(index)}`),
    groups.length === 0 ? 'emptyArrayString() AS group_values' : `[${groups.join(', ')}] AS group_values`,
    ...Object.entries(SUMS).map(([name, sum]) => `${sum} AS ${name}`),
    ...(counted ? ['uniqExact(key_id) AS distinct_keys'] : []),
  ];
  const order = [...(orderBy === undefined ? [] : [`${MEASURES[orderBy]} DESC`]), ...keys.map((key) => `${key} ASC NULLS LAST`)];
  const having = [
    // Without groups there is a row of nothing even where there are no events.
    'event_count > 0',
    ...(atLeast === undefined ? [] : [`${MEASURES[atLeast.measure]} >= ${bindings.double(atLeast.value)}`]),
    ...(after === undefined ? [] : [afterSql(groups, after, bindings)]),
  ];
  const rows = await session.read<SumRow>(
    [
      `SELECT ${selected.join(', ')} FROM decisions FINAL WHERE ${filterSql(filter, bindings)}`,
      keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : '',
      `HAVING ${having.join(' AND ')}`,
      order.length > 0 ? `ORDER BY ${order.join(', ')}` : '',
      `LIMIT ${bindings.integer(limit)}`,
    ].join('\n'),
    bindings,
  );
  return rows.map((row) => ({
    bucketMs: row.bucket_ms,
    group: row.group_values,
    events: row.event_count,
    requests: row.request_sum,
    allowed: row.allowed_sum,
    refused: row.refused_sum,
    allowedCost: row.allowed_cost_sum,
    cost: row.cost_sum,
    variance: row.variance_sum,
    distinctKeys: distinctKeys ? row.distinct_keys : undefined,
    firstMs: row.first_ms,
    lastMs: row.last_ms,
  }));
}
