import type { EntityManager } from 'typeorm';
import type { ResourceKind } from '../database/tombstone.entity.js';
import type { VersionsAt } from './log-time.js';

/** A resource as it was at some version. */
export interface Logged {
  readonly id: string;
  /** Global version of its last change until then. */
  readonly version: string;
  readonly after: object;
}

/** Where the resources of a kind are that are there now. */
const PRESENT: Partial<Record<ResourceKind, string>> = {
  plan: 'SELECT plan_id AS id FROM plan',
  rule: 'SELECT rule_id AS id FROM rule',
  proposal: 'SELECT rule_id AS id FROM proposal',
  override: 'SELECT override_id AS id FROM override',
};

/** All resources of a kind that were there at a version: for each id its last entry until then. Reads the shorter part of the log, that before the version or that after it. */
export function loggedAt(manager: EntityManager, kind: ResourceKind, { version, firstVersion, lastVersion }: VersionsAt): Promise<readonly Logged[]> {
  const present = PRESENT[kind];
  const isRecent = lastVersion - version < version - firstVersion;
  return manager.query<readonly Logged[]>(present !== undefined && isRecent ? backwards(present) : FORWARDS, [kind, version]);
}

/** The last entries are found in the index alone, and only those are read. */
const FORWARDS = `
  SELECT id, version, after
  FROM (SELECT DISTINCT ON (id) id, version, ordinal FROM audit_entry WHERE kind = $1 AND version <= $2 ORDER BY id DESC, version DESC, ordinal DESC) AS last
       JOIN audit_entry USING (version, ordinal, id)
  WHERE after IS NOT NULL`;

/** What was there then is there now, or has an entry since: with many resources that came and went before, those are few. */
function backwards(present: string): string {
  return `
    SELECT last.id, last.version, last.after
    FROM (${present} UNION SELECT id FROM audit_entry WHERE kind = $1 AND version > $2) AS candidate
         CROSS JOIN LATERAL (SELECT id, version, after FROM audit_entry AS entry WHERE kind = $1 AND entry.id = candidate.id AND version <= $2
                             ORDER BY version DESC, ordinal DESC LIMIT 1) AS last
    WHERE last.after IS NOT NULL`;
}
