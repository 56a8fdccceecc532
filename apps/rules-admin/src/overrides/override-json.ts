import type { Override } from '@sluice/rules';
import type { OverrideRow } from './override.entity.js';

/** A row as nodes have it. Expired ones are in the snapshot until they are removed, since a version never depends on the clock; nodes end them by time. */
export function publishedOverride({ id, ruleId, keyId, limit, burst, expiresAt }: Omit<OverrideRow, 'reason' | 'version' | 'changedAtVersion' | 'key'>): Override {
  return { override_id: id, rule_id: ruleId, key_id: keyId, limit, ...(burst === null ? {} : { burst }), expires_at: expiresAt.toISOString() };
}

/** A row as the API and the log have it. */
export function overrideJson(row: OverrideRow): object {
  return { ...publishedOverride(row), ...(row.reason === null ? {} : { reason: row.reason }), version: row.version };
}
