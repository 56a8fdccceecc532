import { STANDARD_ATTRIBUTES } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import { moreLimitsNeedle } from '../flat-event.js';
import type { Bindings } from './bindings.js';

/** The condition of a filter; its values go into the bindings. */
export function filterSql(filter: DecisionFilter, bindings: Bindings): string {
  const { fromMs, toMs, kinds = ['decision'], allowed, ruleId, region, reason, eventId, attributes = {} } = filter;
  const conditions = [
    `at_ms >= ${bindings.integer(fromMs)}`,
    `at_ms < ${bindings.integer(toMs)}`,
    kinds.length === 0 ? 'false' : `kind IN (${kinds.map((kind) => bindings.text(kind)).join(', ')})`,
  ];
  if (allowed !== undefined) conditions.push(allowed ? 'allowed' : 'NOT allowed');
  if (ruleId !== undefined) conditions.push(`(rule_id = ${bindings.text(ruleId)} OR contains(more_limits, ${bindings.text(moreLimitsNeedle(ruleId))}))`);
  if (region !== undefined) conditions.push(`region = ${bindings.text(region)}`);
  if (reason !== undefined) conditions.push(`reason = ${bindings.text(reason)}`);
  if (eventId !== undefined) conditions.push(`event_id = ${bindings.text(eventId)}`);
  for (const name of STANDARD_ATTRIBUTES) {
    const value = attributes[name];
    if (value !== undefined) conditions.push(`${name} = ${bindings.text(value)}`);
  }
  return conditions.join(' AND ');
}

/** The events of the table and of those parts, as what a `SELECT` reads from; conditions on it reach both. */
export function eventsOf(files: readonly string[], columns: string, bindings: Bindings): string {
  if (files.length === 0) return `(SELECT ${columns} FROM events)`;
  return `(SELECT ${columns} FROM events UNION ALL SELECT ${columns} FROM read_parquet(${bindings.texts(files)}, hive_partitioning = false))`;
}
