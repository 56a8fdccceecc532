import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import type { DecisionPlace } from '../decision-store.js';
import { type FlatEvent, restoreEvent } from '../flat-event.js';
import { Bindings } from './bindings.js';
import type { ClickHouseSession } from './clickhouse-session.js';
import { EVENT_COLUMNS } from './columns.js';
import { conditionSql, HOUR_MS } from './condition-sql.js';

/** How much further back each look reaches than the one before. */
const GROWTH = 4;

/**
 * The newest events of a filter, after a place. Looks at the newest hour first, and ever further back until there are enough: the table is sorted by hour, so that a
 * page of whatever came last reads an hour, however long the range is.
 */
export async function findEvents(session: ClickHouseSession, filter: DecisionFilter, limit: number, after: DecisionPlace | undefined): Promise<DecisionEvent[]> {
  const found: DecisionEvent[] = [];
  let toMs = after === undefined ? filter.toMs : Math.min(filter.toMs, after.atMs + 1);
  for (let hours = 1; toMs > filter.fromMs && found.length < limit; hours *= GROWTH) {
    const fromMs = Math.max(filter.fromMs, (Math.ceil(toMs / HOUR_MS) - hours) * HOUR_MS);
    found.push(...(await newestOf(session, { ...filter, fromMs, toMs }, limit - found.length, after)));
    toMs = fromMs;
  }
  return found;
}

async function newestOf(session: ClickHouseSession, filter: DecisionFilter, limit: number, after: DecisionPlace | undefined): Promise<DecisionEvent[]> {
  const bindings = new Bindings();
  const conditions = [conditionSql(filter, bindings)];
  if (after !== undefined) {
    const atMs = bindings.integer(after.atMs);
    conditions.push(`(at_ms < ${atMs} OR (at_ms = ${atMs} AND event_id < ${bindings.text(after.eventId)}))`);
  }
  const rows = await session.read<FlatEvent>(
    `SELECT ${EVENT_COLUMNS} FROM decisions FINAL WHERE ${conditions.join(' AND ')} ORDER BY at_ms DESC, event_id DESC LIMIT ${bindings.integer(limit)}`,
    bindings,
  );
  return rows.map(restoreEvent);
}
