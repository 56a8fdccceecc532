import type { FlatEvent } from '../flat-event.js';
import type { InsertRow } from './clickhouse-session.js';
import { splitEventId } from './event-id.js';

/** Fields that have a column of the same name and meaning; `event_id` and `key_id` are put together by the table from what is stored of them. */
type SameField = Exclude<keyof FlatEvent, 'event_id' | 'key_id'>;

/** Every field once: the compiler finds one that is missing. */
const SAME_FIELDS: Readonly<Record<SameField, true>> = {
  at_ms: true,
  schema_version: true,
  kind: true,
  region: true,
  node_id: true,
  app: true,
  snapshot_version: true,
  sampled_share: true,
  allowed: true,
  reason: true,
  source: true,
  cost: true,
  retry_after_ms: true,
  domain: true,
  plan: true,
  endpoint: true,
  tenant_id: true,
  user_id: true,
  ip: true,
  more_attributes: true,
  policy: true,
  rule_id: true,
  rule_version: true,
  override_id: true,
  limit_allowed: true,
  limit_permits: true,
  window_ms: true,
  remaining: true,
  reset_ms: true,
  retry_ms: true,
  limit_source: true,
  limit_reason: true,
  more_limits: true,
};

const SAME = Object.keys(SAME_FIELDS) as SameField[];

/** The columns of an insert, in the order of {@link insertRow}. */
export const INSERT_COLUMNS: readonly [string, ...string[]] = ['producer', 'sequence', 'key', 'key_absent', ...SAME];

const SELECTED: readonly (keyof FlatEvent)[] = ['event_id', 'key_id', ...SAME];

/** What is selected for an event: fixed names, none of them a word of SQL. */
export const EVENT_COLUMNS = SELECTED.join(', ');

/** What a column holds. */
export type FieldValue = FlatEvent[keyof FlatEvent];

/** A selected row by the names of its columns. */
export function selectedRow(values: readonly FieldValue[]): FlatEvent {
  const row: Partial<Record<keyof FlatEvent, FieldValue>> = {};
  for (const [index, column] of SELECTED.entries()) row[column] = values[index] ?? null;
  return row as FlatEvent;
}

/** A row of the table. */
export function insertRow(event: FlatEvent): InsertRow {
  const { event_id, key_id } = event;
  const { producer, sequence } = splitEventId(event_id);
  return [producer, sequence, key_id ?? '', key_id === null, ...SAME.map((field) => event[field])];
}
