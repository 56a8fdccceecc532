import type { DecisionFilter } from '../decision-filter.js';
import { filterSql } from '../sql/filter-sql.js';
import type { Bindings } from './bindings.js';
import { splitEventId } from './event-id.js';

export const HOUR_MS = 3_600_000;
/** Exactly as the sorting key has it, or the primary key does not help. */
export const HOUR = `intDiv(at_ms, ${String(HOUR_MS)})`;

const DIALECT = { moreLimitsHas: (needle: string) => `position(ifNull(more_limits, ''), ${needle}) > 0` };

/** The condition of a filter, with what lets ClickHouse leave out what it need not read: hours and key by the primary key, days by the times. */
export function conditionSql(filter: DecisionFilter, bindings: Bindings): string {
  const conditions = [
    `${HOUR} >= ${bindings.integer(Math.floor(filter.fromMs / HOUR_MS))}`,
    `${HOUR} <= ${bindings.integer(Math.floor(filter.toMs / HOUR_MS))}`,
    filterSql(filter, bindings, DIALECT),
  ];
  // The stored columns: `key_id` and `event_id` are computed from them.
  const key = filter.attributes?.key_id;
  if (key !== undefined) conditions.push(`key = ${bindings.text(key)}`);
  if (filter.eventId !== undefined) conditions.push(`producer = ${bindings.text(splitEventId(filter.eventId).producer)}`);
  return conditions.join(' AND ');
}
