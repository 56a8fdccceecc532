import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, VARCHAR } from '@duckdb/node-api';
import type { Vector } from '@duckdb/node-bindings';
import type { DecisionEvent } from '@sluice/events';
import { FLAT_FIELDS, type FlatEvent } from '../flat-event.js';
import { type Fill, fillBooleans, fillDistinctTexts, fillDoubles, fillIntegers, fillTexts } from './fill-vector.js';

/** How values of one kind are kept. */
interface Kind<Value> {
  readonly type: DuckDBType;
  readonly fill: Fill<Value>;
}

const INTEGER: Kind<number | null> = { type: BIGINT, fill: fillIntegers };
const SHARE: Kind<number> = { type: DOUBLE, fill: fillDoubles };
const FLAG: Kind<boolean | null> = { type: BOOLEAN, fill: fillBooleans };
const TEXT: Kind<string | null> = { type: VARCHAR, fill: fillTexts };
const ID: Kind<string> = { type: VARCHAR, fill: fillDistinctTexts };

const KINDS: { readonly [Name in keyof FlatEvent]: Kind<FlatEvent[Name]> } = {
  schema_version: INTEGER,
  event_id: ID,
  kind: TEXT,
  at_ms: INTEGER,
  region: TEXT,
  node_id: TEXT,
  app: TEXT,
  snapshot_version: INTEGER,
  sampled_share: SHARE,
  allowed: FLAG,
  reason: TEXT,
  source: TEXT,
  cost: INTEGER,
  retry_after_ms: INTEGER,
  domain: TEXT,
  plan: TEXT,
  endpoint: TEXT,
  key_id: TEXT,
  tenant_id: TEXT,
  user_id: TEXT,
  ip: TEXT,
  more_attributes: TEXT,
  policy: TEXT,
  rule_id: TEXT,
  rule_version: INTEGER,
  override_id: TEXT,
  limit_allowed: FLAG,
  limit_permits: INTEGER,
  window_ms: INTEGER,
  remaining: INTEGER,
  reset_ms: INTEGER,
  retry_ms: INTEGER,
  limit_source: TEXT,
  limit_reason: TEXT,
  more_limits: TEXT,
};

interface Column {
  readonly name: keyof FlatEvent;
  readonly type: DuckDBType;
  /** Fills the column's vector of a chunk. */
  readonly fill: (vector: Vector, events: readonly DecisionEvent[]) => void;
}

/** The columns of events, in the table of the open hours and in the Parquet parts alike. */
export const COLUMNS: readonly Column[] = (Object.keys(KINDS) as (keyof FlatEvent)[]).map(columnOf);

/** Their names, for a `SELECT`: fixed words, none of them a word of SQL. */
export const COLUMN_LIST = COLUMNS.map(({ name }) => name).join(', ');

function columnOf<Name extends keyof FlatEvent>(name: Name): Column {
  const { type, fill }: Kind<FlatEvent[Name]> = KINDS[name];
  const read: (event: DecisionEvent) => FlatEvent[Name] = FLAT_FIELDS[name];
  return { name, type, fill: (vector, events) => fill(vector, events, read) };
}
