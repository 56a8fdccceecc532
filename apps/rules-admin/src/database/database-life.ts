import type { ClientBase } from 'pg';
import { isNativeError } from 'node:util/types';
import { DatabaseUnavailable } from './database-unavailable.js';

/** The version that nodes should have, in which life of the database. */
export interface LivingVersion {
  readonly version: number;
  readonly epoch: string;
  /** Tells it from a version of the same number in another history: when it was committed, microseconds as text. */
  readonly mark: string;
}

/** The columns of {@link LivingVersion} in `config_version`. */
export const LIVING_VERSION = 'snapshot_version AS version, epoch, (extract(epoch FROM snapshot_changed_at) * 1000000)::bigint::text AS mark';

interface LifeRecord extends LivingVersion {
  readonly home: string | null;
  /** Null on a standby. */
  readonly place: string | null;
}

const TABLE = `(SELECT oid FROM pg_database WHERE datname = current_database()), tableoid`;

/**
 * What a restored database does not have in common with the one that it is a copy of: the cluster (a dump that was loaded elsewhere), the timeline (recovery to a point in time, a standby that was
 * promoted), the database (one that was copied or loaded beside), the table (a dump that was loaded over it). Nothing of it changes otherwise.
 */
const PLACE = `CASE WHEN NOT pg_is_in_recovery() THEN
  concat_ws('/', (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), ${TABLE}) END`;
/** For servers that keep the functions to themselves. */
const PLACE_IN_SERVER = `CASE WHEN NOT pg_is_in_recovery() THEN concat_ws('/', ${TABLE}) END`;
const WITHHELD = /^(42501|42883|0A000)$/;

const PATIENCE_MS = 1_000;
/** To look where the database is costs as much again as the version. Between two looks of a connection, who reads has to go by versions and marks alone. */
const LOOK_EVERY_MS = 500;
const VERSION = { text: `SELECT ${LIVING_VERSION} FROM config_version`, query_timeout: PATIENCE_MS };

/** Reads the version, and sees to it that a restored database is in an epoch of its own before anybody gets a version of it. */
export class DatabaseLife {
  private place = PLACE;
  /** By connection; one to another server is another connection, unless a pooler is between. */
  private readonly lookedAtMs = new WeakMap<ClientBase, number>();

  constructor(
    /** Hears of an epoch that began since the database is in another place; `from` undefined: nobody looked before. */
    private readonly onMoved: (move: { readonly from: string | undefined; readonly to: string }) => void,
  ) {}

  /** @throws DatabaseUnavailable on a standby, which may lag behind what was acknowledged; and what pg throws */
  async version(client: ClientBase): Promise<LivingVersion> {
    const nowMs = performance.now();
    if (nowMs - (this.lookedAtMs.get(client) ?? -Infinity) < LOOK_EVERY_MS) return only((await client.query<LivingVersion>(VERSION)).rows);
    const version = await this.look(client);
    this.lookedAtMs.set(client, nowMs);
    return version;
  }

  private async look(client: ClientBase): Promise<LivingVersion> {
    const found = await this.read(client);
    if (found.home === found.place) return found;
    const begun = await this.beginEpoch(client, found.epoch);
    if (begun === undefined) return this.read(client);
    this.onMoved({ from: found.home ?? undefined, to: found.place });
    return begun;
  }

  /**
   * Ends an epoch. Of several processes that want to, one does.
   *
   * @returns the version in the new epoch; undefined when it was another process
   */
  async beginEpoch(client: ClientBase, epoch: string): Promise<LivingVersion | undefined> {
    const text = `UPDATE config_version SET epoch = left(replace(gen_random_uuid()::text, '-', ''), 12), home = ${this.place} WHERE epoch = $1 RETURNING ${LIVING_VERSION}`;
    return (await client.query<LivingVersion>(text, [epoch])).rows[0];
  }

  private async read(client: ClientBase): Promise<LifeRecord & { readonly place: string }> {
    try {
      const query = { text: `SELECT ${LIVING_VERSION}, home, ${this.place} AS place FROM config_version`, query_timeout: PATIENCE_MS };
      const row = only((await client.query<LifeRecord>(query)).rows);
      const { place } = row;
      if (place === null) throw new DatabaseUnavailable('the database is a standby');
      return { ...row, place };
    } catch (error) {
      const isWithheld = isNativeError(error) && 'code' in error && WITHHELD.test(String(error.code));
      if (!isWithheld || this.place === PLACE_IN_SERVER) throw error;
      this.place = PLACE_IN_SERVER;
      return this.read(client);
    }
  }
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('The row of config_version is gone.');
  return row;
}
