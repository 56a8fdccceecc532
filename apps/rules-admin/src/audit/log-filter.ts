import type { AuditQuery } from './audit-query.dto.js';

/** Which entries of the log are meant. */
export type LogFilter = Pick<AuditQuery, 'kind' | 'id' | 'actor' | 'request_id' | 'from' | 'to'>;

/** The last place of a page: entries are unique by version and ordinal. */
export interface LogPlace {
  readonly version: number;
  readonly ordinal: number;
}

/** A condition with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * The filter over `audit_entry AS entry` and `config_change AS change`. Times become versions first, which rise with them: so that the walk from the newest
 * entry down begins where the time says, and not at the top.
 */
export function logCondition(filter: LogFilter, before: LogPlace | undefined): Condition {
  const parameters: unknown[] = [];
  const add = (value: unknown): string => `$${parameters.push(value)}`;
  const parts: string[] = [];
  if (filter.kind !== undefined) parts.push(`entry.kind = ${add(filter.kind)}`);
  if (filter.id !== undefined) parts.push(`entry.id = ${add(filter.id)}`);
  if (filter.actor !== undefined) parts.push(`change.actor = ${add(filter.actor)}`);
  if (filter.request_id !== undefined) parts.push(`change.request_id = ${add(filter.request_id)}`);
  if (filter.from !== undefined) parts.push(`entry.version >= (SELECT version FROM config_change WHERE changed_at >= ${add(filter.from)}::timestamptz ORDER BY changed_at, version LIMIT 1)`);
  if (filter.to !== undefined) parts.push(`entry.version <= (SELECT version FROM config_change WHERE changed_at < ${add(filter.to)}::timestamptz ORDER BY changed_at DESC, version DESC LIMIT 1)`);
  if (before !== undefined) parts.push(`(entry.version, entry.ordinal) < (${add(before.version)}::bigint, ${add(before.ordinal)}::integer)`);
  return { sql: parts.length === 0 ? 'true' : parts.join(' AND '), parameters };
}
