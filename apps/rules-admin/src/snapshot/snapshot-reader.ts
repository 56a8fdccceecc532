import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { DatabaseUnavailable } from '../database/database-unavailable.js';
import type { ResourceKind } from '../database/tombstone.entity.js';
import { PublishedAge } from './published-age.js';
import { SharedReads } from './shared-reads.js';
import type { Deletion } from './snapshot-part.js';
import { SnapshotPool } from './snapshot-pool.js';
import { SNAPSHOT_SOURCES, type SnapshotSource, type SourceItem } from './snapshot-source.js';
import type { TaggedVersion } from './snapshot-tag.js';

/** What changed in one table. */
export interface SourceChanges {
  readonly source: SnapshotSource;
  readonly items: readonly SourceItem[];
  readonly deletions: readonly Deletion[];
}

/** One consistent read. */
export interface SnapshotChanges extends TaggedVersion {
  readonly published: PublishedAge | undefined;
  /** Changes since the version asked for; undefined: everything that is there. */
  readonly since: number | undefined;
  /** Deletions up to this version may be missing. */
  readonly deletionsForgottenUpTo: number;
  readonly changes: readonly SourceChanges[];
}

interface VersionRecord {
  readonly version: number;
  readonly epoch: string;
}

/** How long polls wait for the version: enough for a database that is busy, and little once it did not answer, so that they do not pile up. */
const PATIENCE_MS = 1_000;
const PATIENCE_WHEN_AWAY_MS = 150;

const VERSION = { text: 'SELECT snapshot_version AS version, epoch FROM config_version', query_timeout: PATIENCE_MS };

/** All that the snapshot asks the database: plain SQL, without entities. */
@Injectable()
export class SnapshotReader {
  private readonly versions = new SharedReads(() => this.readVersion());
  private away = false;

  constructor(private readonly pool: SnapshotPool) {}

  /** The version in force, not older than any commit before the call. @throws DatabaseUnavailable and what pg throws, within a second or two */
  version(): Promise<TaggedVersion> {
    return this.versions.read();
  }

  /**
   * What changed since the version that the caller holds, or everything: where it holds none, or one of another life of the database. The build of a
   * version does not depend on the clock.
   */
  changesSince(held: TaggedVersion | undefined): Promise<SnapshotChanges> {
    return this.pool.use(async (client) => {
      // Under REPEATABLE READ all queries see the commit that the first one saw.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const now = await readNow(client);
      const isReachable = held?.epoch === now.epoch && held.version <= now.version && held.version >= now.deletionsForgottenUpTo;
      const since = isReachable ? held.version : undefined;
      const after = since ?? -1;
      const deletions = await readDeletions(client, after);
      const changes: SourceChanges[] = [];
      for (const source of SNAPSHOT_SOURCES) changes.push({ source, items: await source.changed(client, after), deletions: deletions(source) });
      await client.query('COMMIT');
      return { ...now, since, changes };
    });
  }

  private async readVersion(): Promise<TaggedVersion> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new DatabaseUnavailable('the database does not answer in time')), this.away ? PATIENCE_WHEN_AWAY_MS : PATIENCE_MS);
    });
    try {
      const read = await Promise.race([this.pool.use((client) => client.query<VersionRecord>(VERSION)), late]);
      this.away = false;
      return only(read.rows);
    } catch (error) {
      this.away = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

interface NowRecord extends VersionRecord {
  readonly deletionsForgottenUpTo: number;
  readonly ageMs: number | null;
}

const NOW = `
  SELECT snapshot_version AS version, epoch, deletions_forgotten_version AS "deletionsForgottenUpTo",
         (extract(epoch FROM clock_timestamp() - config_change.changed_at) * 1000)::bigint AS "ageMs"
  FROM config_version LEFT JOIN config_change ON config_change.version = snapshot_version`;

async function readNow(client: ClientBase): Promise<Omit<SnapshotChanges, 'since' | 'changes'>> {
  const { ageMs, ...now } = only((await client.query<NowRecord>(NOW)).rows);
  return { ...now, published: ageMs === null ? undefined : new PublishedAge(ageMs) };
}

interface TombstoneRecord extends Deletion {
  readonly kind: ResourceKind;
}

/** Deletions after a version, by the table that they are of. */
async function readDeletions(client: ClientBase, after: number): Promise<(source: SnapshotSource) => readonly Deletion[]> {
  const kinds = SNAPSHOT_SOURCES.map(({ kind }) => kind);
  const { rows } = await client.query<TombstoneRecord>('SELECT kind, id, changed_at_version AS "changedAt" FROM tombstone WHERE kind = ANY($1) AND changed_at_version > $2', [kinds, after]);
  return ({ kind, itemId }) => rows.filter((row) => row.kind === kind).map(({ id, changedAt }) => ({ id: itemId(id), changedAt }));
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('The row of config_version is gone.');
  return row;
}
