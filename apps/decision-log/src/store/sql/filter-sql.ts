import { STANDARD_ATTRIBUTES } from '@sluice/events';
import type { DecisionFilter } from '../decision-filter.js';
import { moreLimitsNeedle } from '../flat-event.js';
import type { SqlBindings } from './sql-bindings.js';

/** What the stores say differently. */
export interface FilterDialect {
  /** A condition: the text of `more_limits`, which may be null, has these characters in it. */
  moreLimitsHas(needle: string): string;
}

/** The condition of a filter on the columns of `FlatEvent`; its values go into the bindings. */
export function filterSql(filter: DecisionFilter, bindings: SqlBindings, dialect: FilterDialect): string {
  const { fromMs, toMs, kinds = ['decision'], allowed, ruleId, region, reason, eventId, attributes = {} } = filter;
  const conditions = [
    `at_ms >= ${bindings.integer(fromMs)}`,
    `at_ms < ${bindings.integer(toMs)}`,
    kinds.length === 0 ? 'false' : `kind IN (${kinds.map((kind) => bindings.text(kind)).join(', ')})`,
  ];
  if (allowed !== undefined) conditions.push(allowed ? 'allowed' : 'NOT allowed');
  if (ruleId !== undefined) conditions.push(`(rule_id = ${bindings.text(ruleId)} OR ${dialect.moreLimitsHas(bindings.text(moreLimitsNeedle(ruleId)))})`);
  if (region !== undefined) conditions.push(`region = ${bindings.text(region)}`);
  if (reason !== undefined) conditions.push(`reason = ${bindings.text(reason)}`);
  if (eventId !== undefined) conditions.push(`event_id = ${bindings.text(eventId)}`);
  for (const name of STANDARD_ATTRIBUTES) {
    const value = attributes[name];
    if (value !== undefined) conditions.push(`${name} = ${bindings.text(value)}`);
  }
  return conditions.join(' AND ');
}
