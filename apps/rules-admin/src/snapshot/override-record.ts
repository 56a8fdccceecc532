import type { OverrideRow } from '../overrides/override.entity.js';

/** A row as the snapshot reads it. */
export interface OverrideRecord extends Pick<OverrideRow, 'id' | 'changedAtVersion'> {
  /** What `canonicalText` makes of what `publishedOverride` makes of the row. */
  readonly text: string;
}

/** As `Date.toISOString` has it. */
const EXPIRES_AT = `to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The database writes the text: to parse ten thousand rows of seven columns and write them again took a quarter of a build from everything.
 * `to_json` escapes as `JSON.stringify` does. The fields are in the order of canonical text.
 */
export const OVERRIDE_COLUMNS = [
  'override_id AS id',
  `concat('{', '"burst":' || burst || ',', '"expires_at":"', ${EXPIRES_AT}, '","key_id":', to_json(key_id), ',"limit":', "limit", ',"override_id":', to_json(override_id), ',"rule_id":', to_json(rule_id), '}') AS text`,
].join(', ');
