import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import type { ClientBase } from 'pg';
import type { RulesAdminConfig } from '../config.js';
import { SidePool } from '../database/side-pool.js';
import { CONFIG, LOGGER } from '../tokens.js';

/** Versions that nodes have yet to be told of. */
export interface Backlog {
  readonly versions: number;
  /** Time since the oldest of them was committed, by the database's clock; 0 when there is none. */
  readonly oldestAgeMs: number;
}

/** Rows that one statement deletes: what piled up in a long outage goes in steps, each far below the statement's bound. */
const DELETED_AT_A_TIME = 10_000;

const BACKLOG = `
  SELECT count(*) AS versions, coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(created_at)) * 1000), 0)::float8 AS "oldestAgeMs"
  FROM outbox`;
const CLAIM = 'SELECT version FROM outbox WHERE version = (SELECT max(version) FROM outbox) FOR UPDATE SKIP LOCKED';
const DELETE_UP_TO = `
  DELETE FROM outbox WHERE version IN (SELECT version FROM outbox WHERE version <= $1 ORDER BY version LIMIT ${DELETED_AT_A_TIME} FOR UPDATE SKIP LOCKED)`;

/**
 * The table `outbox`, which every change that concerns nodes writes to in its own transaction (`writeChangeLog`). Read on a connection of its own, and by
 * any number of replicas: each row is in the hands of at most one.
 */
@Injectable()
export class Outbox {
  private readonly pool: SidePool;

  constructor(@Inject(CONFIG) config: RulesAdminConfig, @Inject(LOGGER) logger: Logger) {
    this.pool = new SidePool({ url: config.databaseUrl, name: 'outbox', size: 1, logger });
  }

  /** @throws what pg throws */
  backlog(): Promise<Backlog> {
    return this.pool.use(async (client) => {
      const { rows } = await client.query<Backlog>(BACKLOG);
      return rows[0] ?? { versions: 0, oldestAgeMs: 0 };
    });
  }

  /**
   * Hands the newest version to `tell` and, if that says that it was told, forgets it and all before it: a version says that the ones before it are there too.
   * The row is locked meanwhile: another replica leaves it alone, takes a newer one if there is, and takes this one when this process died.
   *
   * @returns what `tell` said; undefined when there is nothing, or another replica is at it
   * @throws what pg throws: then the rows are still there, whether or not they were told
   */
  handOver<T extends 'sent' | 'dropped'>(tell: (version: number) => Promise<T>): Promise<T | undefined> {
    return this.pool.use(async (client) => {
      await client.query('BEGIN');
      const { rows } = await client.query<{ readonly version: number }>(CLAIM);
      const version = rows[0]?.version;
      const outcome = version === undefined ? undefined : await tell(version);
      if (version !== undefined && outcome === 'sent') await deleteUpTo(client, version);
      await client.query('COMMIT');
      return outcome;
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

async function deleteUpTo(client: ClientBase, version: number): Promise<void> {
  for (let deleted = DELETED_AT_A_TIME; deleted === DELETED_AT_A_TIME; ) deleted = (await client.query(DELETE_UP_TO, [version])).rowCount ?? 0;
}
