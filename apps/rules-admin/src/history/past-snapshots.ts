import { Injectable } from '@nestjs/common';
import { inSlices } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { DatabaseConnection } from '../database/database-connection.js';
import type { ResourceKind } from '../database/tombstone.entity.js';
import { buildState } from '../snapshot/build-state.js';
import type { SourceChanges } from '../snapshot/snapshot-reader.js';
import { SNAPSHOT_SOURCES, type SourceItem } from '../snapshot/snapshot-source.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { type VersionsAt, versionsAt } from './log-time.js';
import { publishedFields } from './published-fields.js';

interface Logged {
  readonly id: string;
  readonly version: string;
  readonly after: object;
}

/** What was in force at some time (R60), from the log alone. */
@Injectable()
export class PastSnapshots {
  constructor(private readonly database: DatabaseConnection) {}

  /**
   * The versions that held at `at`, ISO 8601 with a zone.
   *
   * @throws ProblemException 400 for the future, 404 for before the log began
   */
  versionsAt(at: string): Promise<VersionsAt> {
    return this.database.source.transaction('READ COMMITTED', (manager) => versionsAt(manager, at));
  }

  /**
   * The snapshot as nodes had it then, to the byte and with its checksum. Overrides that had expired by then and were not removed yet are in it, as they were in
   * theirs. What the log has up to a version never changes, so that nothing needs to be locked.
   */
  async state({ version, snapshotVersion, epoch }: VersionsAt): Promise<SnapshotState> {
    const changes: SourceChanges[] = [];
    for (const source of SNAPSHOT_SOURCES) {
      const logged = await lastLogged(this.database.source.manager, source.kind, version);
      const items = logged.map(({ id, version: changedAt, after }): SourceItem => ({ id: source.itemId(id), changedAt: Number(changedAt), json: publishedFields(source.kind, after) }));
      changes.push({ source, items, deletions: [] });
    }
    return inSlices(buildState(undefined, { version: snapshotVersion, epoch, published: undefined, since: undefined, deletionsForgottenUpTo: snapshotVersion, changes }));
  }
}

/** All resources of a kind that were there at a global version. The last entry of each is found in the index alone, and only those are read. */
function lastLogged(manager: EntityManager, kind: ResourceKind, version: number): Promise<readonly Logged[]> {
  return manager.query<readonly Logged[]>(
    `SELECT id, version, after
     FROM (SELECT DISTINCT ON (id) id, version, ordinal FROM audit_entry WHERE kind = $1 AND version <= $2 ORDER BY id DESC, version DESC, ordinal DESC) AS last
          JOIN audit_entry USING (version, ordinal, id)
     WHERE after IS NOT NULL`,
    [kind, version],
  );
}
