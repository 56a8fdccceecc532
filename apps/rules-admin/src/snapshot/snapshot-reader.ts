import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import type { ClientBase } from 'pg';
import { DatabaseLife, LIVING_VERSION, type LivingVersion } from '../database/database-life.js';
import { DatabaseUnavailable } from '../database/database-unavailable.js';
import type { ResourceKind } from '../database/tombstone.entity.js';
import { LOGGER } from '../tokens.js';
import { PublishedAge } from './published-age.js';
import { SharedReads } from './shared-reads.js';
import { SnapshotMetrics } from './snapshot-metrics.js';
import type { Deletion, SnapshotItem } from './snapshot-part.js';
import { SnapshotPool } from './snapshot-pool.js';
import { SNAPSHOT_SOURCES, type SnapshotSource } from './snapshot-source.js';
import type { TaggedVersion } from './snapshot-tag.js';

/** The version in force, as a read found it. */
export interface ReadVersion extends LivingVersion {
  /** When the read began, by `performance.now()`: what was committed before is in it. */
  readonly beganAtMs: number;
}

/** What the caller of {@link SnapshotReader.changesSince} holds. */
export interface HeldVersion extends TaggedVersion {
  readonly published: PublishedAge | undefined;
}

/** What changed in one table. */
export interface SourceChanges {
  readonly source: SnapshotSource;
  readonly items: readonly SnapshotItem[];
  readonly deletions: readonly Deletion[];
}

/** One consistent read. */
export interface SnapshotChanges extends TaggedVersion {
  /** As {@link LivingVersion} has it; undefined for a version of the past. */
  readonly mark?: string | undefined;
  readonly published: PublishedAge | undefined;
  /** Changes since the version asked for; undefined: everything that is there. */
  readonly since: number | undefined;
  /** Deletions up to this version may be missing. */
  readonly deletionsForgottenUpTo: number;
  readonly changes: readonly SourceChanges[];
  /** Why the version asked for cannot have been in this epoch, if so: then all of this is of another history, and nobody should get it under this epoch. */
  readonly contradiction?: string | undefined;
}

/** How long polls wait for the version: enough for a database that is busy, and little once it did not answer, so that they do not pile up. */
const PATIENCE_MS = 1_000;
const PATIENCE_WHEN_AWAY_MS = 150;

/** All that the snapshot asks the database: plain SQL, without entities. */
@Injectable()
export class SnapshotReader {
  private readonly versions = new SharedReads(() => this.readVersion());
  private readonly life: DatabaseLife;
  private away = false;

  constructor(
    private readonly pool: SnapshotPool,
    metrics: SnapshotMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.life = new DatabaseLife(({ from, to }) => {
      if (from === undefined) return;
      metrics.restored.inc();
      logger.error({ from, to }, 'the database is another one than before, restored or failed over; its epoch began anew, and nodes fetch the whole');
    });
  }

  /**
   * The version in force, not older than any commit before the call. A database that was restored to another place is in a new epoch by then.
   *
   * @throws DatabaseUnavailable and what pg throws, within a second or two
   */
  version(): Promise<ReadVersion> {
    return this.versions.read();
  }

  /** Ends an epoch that turned out to be of two histories. @returns whether it was this process that did */
  beginEpoch(epoch: string): Promise<boolean> {
    return this.pool.use(async (client) => (await this.life.beginEpoch(client, epoch)) !== undefined);
  }

  /**
   * What changed since the version that the caller holds, or everything: where it holds none, or one of another life of the database. The build of a
   * version does not depend on the clock.
   */
  changesSince(held: HeldVersion | undefined): Promise<SnapshotChanges> {
    return this.pool.use(async (client) => {
      // Under REPEATABLE READ all queries see the commit that the first one saw.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { heldCommittedAtUs, ...now } = await readNow(client, held);
      const contradiction = contradictionOf(held, now, heldCommittedAtUs);
      const isReachable = contradiction === undefined && held?.epoch === now.epoch && held.version >= now.deletionsForgottenUpTo;
      const since = isReachable ? held.version : undefined;
      const after = since ?? -1;
      const deletions = await readDeletions(client, after);
      const read: Promise<SourceChanges>[] = [];
      for (const source of SNAPSHOT_SOURCES) {
        const rows = await source.rowsAfter(client, after);
        // Made into items while the database looks for those of the next table.
        read.push(rows.items().then((items) => ({ source, items, deletions: deletions(source) })));
      }
      const changes = await Promise.all(read);
      await client.query('COMMIT');
      return { ...now, since, changes, contradiction };
    });
  }

  private async readVersion(): Promise<ReadVersion> {
    const beganAtMs = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new DatabaseUnavailable('the database does not answer in time')), this.away ? PATIENCE_WHEN_AWAY_MS : PATIENCE_MS);
    });
    try {
      const read = await Promise.race([this.pool.use((client) => this.life.version(client)), late]);
      this.away = false;
      return { ...read, beganAtMs };
    } catch (error) {
      this.away = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

interface NowRecord extends LivingVersion {
  readonly deletionsForgottenUpTo: number;
  readonly ageMs: number | null;
  readonly committedAtUs: string | null;
  readonly heldCommittedAtUs: string | null;
}

const NOW = `
  SELECT ${LIVING_VERSION}, deletions_forgotten_version AS "deletionsForgottenUpTo",
         (extract(epoch FROM clock_timestamp() - config_change.changed_at) * 1000)::bigint AS "ageMs",
         (extract(epoch FROM config_change.changed_at) * 1000000)::bigint::text AS "committedAtUs",
         (SELECT (extract(epoch FROM held.changed_at) * 1000000)::bigint::text FROM config_change AS held WHERE held.version = $1) AS "heldCommittedAtUs"
  FROM config_version LEFT JOIN config_change ON config_change.version = snapshot_version`;

type Now = LivingVersion & Pick<SnapshotChanges, 'published' | 'deletionsForgottenUpTo'> & Pick<NowRecord, 'heldCommittedAtUs'>;

async function readNow(client: ClientBase, held: HeldVersion | undefined): Promise<Now> {
  const { ageMs, committedAtUs, ...now } = only((await client.query<NowRecord>(NOW, [held?.version ?? -1])).rows);
  return { ...now, published: ageMs === null || committedAtUs === null ? undefined : new PublishedAge(ageMs, committedAtUs) };
}

/** Why `now` cannot have come after what is held. Versions only rise within an epoch, and the log never forgets or changes one. */
function contradictionOf(held: HeldVersion | undefined, now: TaggedVersion, heldCommittedAtUs: string | null): string | undefined {
  if (held?.epoch !== now.epoch) return undefined;
  if (held.version > now.version) return `version went back from ${held.version} to ${now.version}`;
  return held.published === undefined || held.published.committedAtUs === heldCommittedAtUs ? undefined : `version ${held.version} is another one than before`;
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
