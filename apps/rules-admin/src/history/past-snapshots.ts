import { Injectable } from '@nestjs/common';
import { canonicalText, inSlices } from '@sluice/rules';
import { DatabaseConnection } from '../database/database-connection.js';
import { buildState } from '../snapshot/build-state.js';
import { SharedReads } from '../snapshot/shared-reads.js';
import type { SnapshotItem } from '../snapshot/snapshot-part.js';
import type { SourceChanges } from '../snapshot/snapshot-reader.js';
import { SNAPSHOT_SOURCES } from '../snapshot/snapshot-source.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { type VersionsAt, versionsAt } from './log-time.js';
import { loggedAt } from './logged-at.js';
import { publishedFields } from './published-fields.js';

/** What was in force at some time (R60), from the log alone. */
@Injectable()
export class PastSnapshots {
  // One wait a process, in the queue of the writers: any number of readers, each with a lock of its own that lets the others pass, could keep writers out for ever.
  private readonly writer = new SharedReads(() => this.database.source.query('SELECT 1 FROM config_version FOR NO KEY UPDATE'));

  constructor(private readonly database: DatabaseConnection) {}

  /**
   * The versions that held at `at`, ISO 8601 with a zone.
   *
   * @throws ProblemException 400 for the future, 404 for before the log began
   */
  versionsAt(at: string): Promise<VersionsAt> {
    return versionsAt(this.database.source.manager, at, () => this.writer.read());
  }

  /**
   * The snapshot as nodes had it then, to the byte and with its checksum. Overrides that had expired by then and were not removed yet are in it, as they were in
   * theirs. What the log has up to a version never changes, so that nothing needs to be locked.
   */
  async state(versions: VersionsAt): Promise<SnapshotState> {
    const { snapshotVersion, epoch } = versions;
    const changes: SourceChanges[] = [];
    for (const source of SNAPSHOT_SOURCES) {
      const logged = await loggedAt(this.database.source.manager, source.kind, versions);
      const items = logged.map(({ id, version: changedAt, after }): SnapshotItem => ({ id: source.itemId(id), changedAt: Number(changedAt), text: canonicalText(publishedFields(source.kind, after)) }));
      changes.push({ source, items, deletions: [] });
    }
    return inSlices(buildState(undefined, { version: snapshotVersion, epoch, published: undefined, since: undefined, deletionsForgottenUpTo: snapshotVersion, changes }));
  }
}
