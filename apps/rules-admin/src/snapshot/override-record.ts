import type { Override } from '@sluice/rules';
import type { OverrideRow } from '../overrides/override.entity.js';

/** A row as the snapshot reads it. */
export interface OverrideRecord extends Pick<OverrideRow, 'id' | 'ruleId' | 'keyId' | 'limit' | 'burst' | 'changedAtVersion'> {
  /** As `Date.toISOString` has it. */
  readonly expiresAt: string;
}

/** The time as text: to parse ten thousand and write them again took a seventh of a build from everything. */
export const OVERRIDE_COLUMNS = `override_id AS id, rule_id AS "ruleId", key_id AS "keyId", "limit", burst, to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expiresAt"`;

/** What `publishedOverride` makes of a row, with its fields in the order of the text that is sent, so that none is sorted anew. */
export function overrideFields({ id, ruleId, keyId, limit, burst, expiresAt }: OverrideRecord): Override {
  if (burst === null) return { expires_at: expiresAt, key_id: keyId, limit, override_id: id, rule_id: ruleId };
  return { burst, expires_at: expiresAt, key_id: keyId, limit, override_id: id, rule_id: ruleId };
}
