import { STANDARD_ATTRIBUTES } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import { moreLimitsNeedle } from '../flat-event.js';
import type { Bindings } from './bindings.js';

export const HOUR_MS = 3_600_000;
/** Exactly as the sorting key has it, or the primary key does not help. */
export const HOUR = `intDiv(at_ms, ${String(HOUR_MS)})`;

/** The condition of a filter; its values go into the bindings. */
export function filterSql(filter: DecisionFilter, bindings: Bindings): string {
  const { fromMs, toMs, kinds = ['decision'], allowed, ruleId, region, reason, eventId, attributes = {} } = filter;
  const conditions = [
    // The hours prune by the primary key, which begins with them; the times prune days, and are exact.
    `${HOUR} >= ${bindings.integer(Math.floor(fromMs / HOUR_MS))}`,
    `${HOUR} <= ${bindings.integer(Math.floor(toMs / HOUR_MS))}`,
    `at_ms >= ${bindings.integer(fromMs)}`,
    `at_ms < ${bindings.integer(toMs)}`,
    `has(${bindings.texts(kinds)}, kind)`,
  ];
  if (allowed !== undefined) conditions.push(allowed ? 'allowed' : 'NOT allowed');
  if (ruleId !== undefined) conditions.push(`(rule_id = ${bindings.text(ruleId)} OR position(ifNull(more_limits, ''), ${bindings.text(moreLimitsNeedle(ruleId))}) > 0)`);
  if (region !== undefined) conditions.push(`region = ${bindings.text(region)}`);
  if (reason !== undefined) conditions.push(`reason = ${bindings.text(reason)}`);
  if (eventId !== undefined) conditions.push(`event_id = ${bindings.text(eventId)}`);
  for (const name of STANDARD_ATTRIBUTES) {
    const value = attributes[name];
    if (value === undefined) continue;
    conditions.push(`${name} = ${bindings.text(value)}`);
    // The stored column, for the primary key: `key_id` itself is computed from it.
    if (name === 'key_id') conditions.push(`key = ${bindings.text(value)}`);
  }
  return conditions.join(' AND ');
}
