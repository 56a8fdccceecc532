import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import type { DecisionPlace } from '../decision-store.js';
import { restoreEvent } from '../flat-event.js';
import { StoreUnavailable } from '../store-faults.js';
import { Bindings } from './bindings.js';
import type { ClickHouseSession } from './clickhouse-session.js';
import { EVENT_COLUMNS, type FieldValue, selectedRow } from './columns.js';
import { conditionSql, HOUR, HOUR_MS } from './condition-sql.js';

/**
 * All events of a filter, the oldest first, in the chunks in which they come. An hour is a query of its own, since the table is sorted by key within the hour:
 * what the server has to put in the order of time is one hour.
 */
export async function* scanEvents(session: ClickHouseSession, filter: DecisionFilter): AsyncGenerator<readonly DecisionEvent[]> {
  for (const hour of await hoursOf(session, filter)) {
    yield* scanHour(session, { ...filter, fromMs: Math.max(filter.fromMs, hour * HOUR_MS), toMs: Math.min(filter.toMs, (hour + 1) * HOUR_MS) });
  }
}

async function hoursOf(session: ClickHouseSession, filter: DecisionFilter): Promise<number[]> {
  const bindings = new Bindings();
  const rows = await session.read<{ readonly hour: number }>(`SELECT DISTINCT ${HOUR} AS hour FROM decisions WHERE ${conditionSql(filter, bindings)} ORDER BY hour`, bindings);
  return rows.map(({ hour }) => hour);
}

/** Goes on where it was when the connection is lost after some events: a caller who is slow loses it, since nothing is read meanwhile. */
async function* scanHour(session: ClickHouseSession, filter: DecisionFilter): AsyncGenerator<readonly DecisionEvent[]> {
  let place: DecisionPlace | undefined;
  for (;;) {
    let came = false;
    try {
      for await (const rows of openHour(session, filter, place)) {
        const events = rows.map((values) => restoreEvent(selectedRow(values)));
        const last = events.at(-1);
        if (last === undefined) continue;
        yield events;
        place = { atMs: last.at_ms, eventId: last.event_id };
        came = true;
      }
      return;
    } catch (error) {
      if (!came || !(error instanceof StoreUnavailable)) throw error;
    }
  }
}

function openHour(session: ClickHouseSession, filter: DecisionFilter, after: DecisionPlace | undefined): AsyncGenerator<(readonly FieldValue[])[]> {
  const bindings = new Bindings();
  const conditions = [conditionSql(filter, bindings)];
  if (after !== undefined) {
    const atMs = bindings.integer(after.atMs);
    conditions.push(`(at_ms > ${atMs} OR (at_ms = ${atMs} AND event_id > ${bindings.text(after.eventId)}))`);
  }
  return session.stream<FieldValue>(`SELECT ${EVENT_COLUMNS} FROM decisions FINAL WHERE ${conditions.join(' AND ')} ORDER BY at_ms, event_id`, bindings);
}
