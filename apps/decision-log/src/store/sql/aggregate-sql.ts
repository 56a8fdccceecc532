import type { Aggregate, AggregateOrder, AggregateRow, Dimension } from '../aggregate.js';
import { afterSql } from './after-sql.js';
import type { SqlBindings } from './sql-bindings.js';

/** What is read from, and under which condition. */
export interface AggregateSource {
  readonly from: string;
  readonly where: string;
  /** `rule_version` as text, null where it is null, in the store's own words. */
  readonly ruleVersionText: string;
}

const WEIGHT = '1 / sampled_share';
/** None of the names is that of a column: ClickHouse would take the sum for the column in the next one. */
const SUMS = {
  event_count: 'count(*)',
  request_sum: `sum(${WEIGHT})`,
  allowed_sum: `coalesce(sum(${WEIGHT}) FILTER (WHERE allowed), 0)`,
  refused_sum: `coalesce(sum(${WEIGHT}) FILTER (WHERE NOT allowed), 0)`,
  allowed_cost_sum: `coalesce(sum(cost * (${WEIGHT})) FILTER (WHERE allowed), 0)`,
  cost_sum: `sum(cost * (${WEIGHT}))`,
  variance_sum: 'sum((1 - sampled_share) / (sampled_share * sampled_share))',
  first_ms: 'min(at_ms)',
  last_ms: 'max(at_ms)',
} as const;

const MEASURES: Readonly<Record<AggregateOrder, string>> = { requests: 'request_sum', refused: 'refused_sum', distinct_keys: 'distinct_keys' };

/** Sums of events by groups and buckets, as a statement over the columns of `FlatEvent`. Its rows are read by {@link aggregateRow}. */
export function aggregateSql(query: Aggregate, { from, where, ruleVersionText }: AggregateSource, bindings: SqlBindings): string {
  const { groupBy, bucketMs, distinctKeys = false, atLeast, orderBy, after, limit } = query;
  const counted = distinctKeys || orderBy === 'distinct_keys' || atLeast?.measure === 'distinct_keys';
  const groups = groupBy.map(groupName);
  const keys = [...(bucketMs === undefined ? [] : ['bucket_ms']), ...groups];
  const selected = [
    ...(bucketMs === undefined ? [] : [`at_ms - at_ms % ${bindings.integer(bucketMs)} AS bucket_ms`]),
    ...groupBy.map((dimension, index) => `${columnOf(dimension, ruleVersionText)} AS ${groupName(dimension, index)}`),
    ...Object.entries(SUMS).map(([name, sum]) => `${sum} AS ${name}`),
    ...(counted ? ['count(DISTINCT key_id) AS distinct_keys'] : []),
  ];
  const order = [...(orderBy === undefined ? [] : [`${MEASURES[orderBy]} DESC`]), ...keys.map((key) => `${key} ASC NULLS LAST`)];
  const having = [
    // Without groups there is a row of nothing even where there are no events.
    'count(*) > 0',
    ...(atLeast === undefined ? [] : [`${MEASURES[atLeast.measure]} >= ${bindings.double(atLeast.value)}`]),
    ...(after === undefined ? [] : [afterSql(groups, after, bindings)]),
  ];
  return [
    `SELECT ${selected.join(', ')} FROM ${from} WHERE ${where}`,
    keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : '',
    `HAVING ${having.join(' AND ')}`,
    order.length > 0 ? `ORDER BY ${order.join(', ')}` : '',
    `LIMIT ${bindings.integer(limit)}`,
  ].join('\n');
}

/** A row of {@link aggregateSql} by the names of its columns; integers may be bigints. */
export function aggregateRow(row: Readonly<Record<string, unknown>>, { groupBy, bucketMs, distinctKeys = false }: Aggregate): AggregateRow {
  const number = (name: keyof typeof SUMS | 'bucket_ms' | 'distinct_keys'): number => Number(row[name] ?? 0);
  return {
    bucketMs: bucketMs === undefined ? undefined : number('bucket_ms'),
    group: groupBy.map((dimension, index) => textOrNull(row[groupName(dimension, index)])),
    events: number('event_count'),
    requests: number('request_sum'),
    allowed: number('allowed_sum'),
    refused: number('refused_sum'),
    allowedCost: number('allowed_cost_sum'),
    cost: number('cost_sum'),
    variance: number('variance_sum'),
    distinctKeys: distinctKeys ? number('distinct_keys') : undefined,
    firstMs: number('first_ms'),
    lastMs: number('last_ms'),
  };
}

/** The column of each dimension: what comes from outside selects one of these, and never is one. */
function columnOf(dimension: Dimension, ruleVersionText: string): string {
  const columns: Readonly<Record<Dimension, string>> = {
    domain: 'domain',
    plan: 'plan',
    endpoint: 'endpoint',
    key_id: 'key_id',
    tenant_id: 'tenant_id',
    user_id: 'user_id',
    ip: 'ip',
    rule_id: 'rule_id',
    rule_version: ruleVersionText,
    region: 'region',
    node_id: 'node_id',
    kind: 'kind',
    reason: 'reason',
    source: 'source',
  };
  return columns[dimension];
}

function groupName(_: Dimension, index: number): string {
  return `group_${String(index)}`;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
