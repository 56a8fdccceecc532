import type { EntityManager } from 'typeorm';
import { currentActing } from '../access/acting.js';
import type { ResourceChange } from './resource-change.js';

/** One version, as it is logged. */
export interface LoggedVersion {
  readonly version: number;
  readonly reachesNodes: boolean;
  readonly changes: readonly ResourceChange[];
  /** Of all changes of the version. */
  readonly note: string | null;
}

/**
 * Writes down what a version did, in its own transaction and under the version lock: who, when, each resource before and after (R60), and that nodes have to be told (R55).
 * The time never goes back from one version to the next, so that "what was in force at" has one answer.
 */
export async function writeChangeLog(manager: EntityManager, { version, reachesNodes, changes, note }: LoggedVersion): Promise<void> {
  const { actor, requestId } = currentActing();
  await manager.query(
    `UPDATE config_version SET changed_at = next.at, snapshot_changed_at = CASE WHEN $1 THEN next.at ELSE snapshot_changed_at END
     FROM (SELECT greatest(clock_timestamp(), changed_at + interval '1 microsecond') AS at FROM config_version) AS next`,
    [reachesNodes],
  );
  await manager.query(`INSERT INTO config_change (version, changed_at, actor, request_id, reaches_nodes) SELECT $1, changed_at, $2, $3, $4 FROM config_version`, [version, actor, requestId, reachesNodes]);
  if (reachesNodes) await manager.query(`INSERT INTO outbox (version, created_at) SELECT $1, changed_at FROM config_version`, [version]);
  // As one JSON text: thousands of changes have more parameters than a statement may.
  await manager.query(
    `INSERT INTO audit_entry (version, ordinal, kind, id, action, from_version, to_version, before, after, note)
     SELECT $1, entry.ordinal - 1, c.kind, c.id, c.action, c."fromVersion", c."toVersion", nullif(c.before, 'null'), nullif(c.after, 'null'), $3
     FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS entry (value, ordinal),
          jsonb_to_record(entry.value) AS c (kind text, id text, action text, "fromVersion" bigint, "toVersion" bigint, before jsonb, after jsonb)`,
    [version, JSON.stringify(changes), note],
  );
}
