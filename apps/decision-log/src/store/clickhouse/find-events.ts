import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import type { DecisionPlace } from '../decision-store.js';
import { type FlatEvent, restoreEvent } from '../flat-event.js';
import { Bindings } from './bindings.js';
import type { ClickHouseSession } from './clickhouse-session.js';
import { EVENT_COLUMNS } from './columns.js';
import { filterSql } from './filter-sql.js';

/** The newest events of a filter, after a place. */
export async function findEvents(session: ClickHouseSession, filter: DecisionFilter, limit: number, after: DecisionPlace | undefined): Promise<DecisionEvent[]> {
  const bindings = new Bindings();
  const rows = await session.read<FlatEvent>(
    `SELECT ${EVENT_COLUMNS} FROM decisions FINAL WHERE ${filterSql(filter, bindings)}${beforeSql(after, bindings)}
     ORDER BY at_ms DESC, event_id DESC LIMIT ${bindings.integer(limit)}`,
    bindings,
  );
  return rows.map(restoreEvent);
}

function beforeSql(after: DecisionPlace | undefined, bindings: Bindings): string {
  if (after === undefined) return '';
  const atMs = bindings.integer(after.atMs);
  return ` AND at_ms <= ${atMs} AND (at_ms < ${atMs} OR event_id < ${bindings.text(after.eventId)})`;
}
