import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import type { DecisionPlace } from '../decision-store.js';
import { Bindings } from './bindings.js';
import { COLUMN_LIST } from './columns.js';
import { eventsOf, filterSql } from './filter-sql.js';
import type { ReadSession } from './reader.js';
import { restoreChunk } from './restore-chunk.js';

/** The newest events of a filter, after a place. */
export async function findEvents(session: ReadSession, filter: DecisionFilter, limit: number, after: DecisionPlace | undefined): Promise<DecisionEvent[]> {
  const bindings = new Bindings();
  const source = eventsOf(session.files, COLUMN_LIST, bindings);
  const result = await bindings.run(
    session.connection,
    `SELECT ${COLUMN_LIST} FROM ${source} WHERE ${filterSql(filter, bindings)}${placeSql(after, bindings)}
     ORDER BY at_ms DESC, event_id DESC LIMIT ${bindings.integer(limit)}`,
  );
  return (await result.fetchAllChunks()).flatMap(restoreChunk);
}

function placeSql(after: DecisionPlace | undefined, bindings: Bindings): string {
  if (after === undefined) return '';
  const atMs = bindings.integer(after.atMs);
  // The first condition is what statistics of row groups can be held against.
  return ` AND at_ms <= ${atMs} AND (at_ms < ${atMs} OR event_id < ${bindings.text(after.eventId)})`;
}
