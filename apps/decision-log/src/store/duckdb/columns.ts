import type { FlatEvent } from '../flat-event.js';

/** The types of columns that events need. */
export type ColumnType = 'BIGINT' | 'VARCHAR' | 'DOUBLE' | 'BOOLEAN';

interface Column {
  readonly name: keyof FlatEvent;
  readonly type: ColumnType;
}

const TYPES: Readonly<Record<keyof FlatEvent, ColumnType>> = {
  schema_version: 'BIGINT',
  event_id: 'VARCHAR',
  kind: 'VARCHAR',
  at_ms: 'BIGINT',
  region: 'VARCHAR',
  node_id: 'VARCHAR',
  app: 'VARCHAR',
  snapshot_version: 'BIGINT',
  sampled_share: 'DOUBLE',
  allowed: 'BOOLEAN',
  reason: 'VARCHAR',
  source: 'VARCHAR',
  cost: 'BIGINT',
  retry_after_ms: 'BIGINT',
  domain: 'VARCHAR',
  plan: 'VARCHAR',
  endpoint: 'VARCHAR',
  key_id: 'VARCHAR',
  tenant_id: 'VARCHAR',
  user_id: 'VARCHAR',
  ip: 'VARCHAR',
  more_attributes: 'VARCHAR',
  policy: 'VARCHAR',
  rule_id: 'VARCHAR',
  rule_version: 'BIGINT',
  override_id: 'VARCHAR',
  limit_allowed: 'BOOLEAN',
  limit_permits: 'BIGINT',
  window_ms: 'BIGINT',
  remaining: 'BIGINT',
  reset_ms: 'BIGINT',
  retry_ms: 'BIGINT',
  limit_source: 'VARCHAR',
  limit_reason: 'VARCHAR',
  more_limits: 'VARCHAR',
};

/** The columns of events, in the table of the open hours and in the Parquet parts alike. */
export const COLUMNS: readonly Column[] = (Object.keys(TYPES) as (keyof FlatEvent)[]).map((name) => ({ name, type: TYPES[name] }));

/** Their names, for a `SELECT`: fixed words, none of them a word of SQL. */
export const COLUMN_LIST = COLUMNS.map(({ name }) => name).join(', ');
