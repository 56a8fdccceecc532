import { Injectable } from '@nestjs/common';
import { actAs } from '../access/acting.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { OVERRIDES } from '../database/tables.js';
import { tryLock } from '../database/try-lock.js';
import type { Swept } from '../sweeper/chore.js';
import { Sweeper } from '../sweeper/sweeper.js';
import { OverrideRow } from './override.entity.js';

/** How long an expired override stays: its author can still see what became of it, or extend it. */
const KEPT_MS = 60 * 60 * 1000;

/** Removed in one version, and with one hold of the version lock. */
const BATCH = 1_000;

/**
 * Removes overrides some time after they expired. That changes no decision: nodes end them by their own clock; it keeps table and snapshot small. As any
 * removal it takes a version, and leaves tombstones and a log.
 */
@Injectable()
export class OverrideExpiry {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
    sweeper: Sweeper,
  ) {
    sweeper.add({ name: 'expired_overrides', sweep: () => this.sweep() });
  }

  async sweep(keptMs = KEPT_MS): Promise<Swept> {
    // Without the version lock: most rounds find nothing.
    if (!(await expired(this.reader.manager, keptMs).getExists())) return { count: 0, more: false };
    const count = await actAs('system:override-expiry', () =>
      this.writer.write(
        async (tx) => {
          const rows = await expired(tx.manager, keptMs).orderBy('row.expiresAt').addOrderBy('row.id').limit(BATCH).getMany();
          await OVERRIDES.removeAll(tx, rows);
          return rows.length;
        },
        // Another replica is at it: no need to queue for the version lock behind it.
        { before: async (manager) => ((await tryLock(manager, 'override-expiry')) ? undefined : 0) },
      ),
    );
    return { count, more: count === BATCH };
  }
}

function expired(manager: ConfigReader['manager'], keptMs: number): ReturnType<ConfigReader['manager']['createQueryBuilder']> {
  return manager.createQueryBuilder(OverrideRow, 'row').where(`row.expiresAt < clock_timestamp() - :keptMs * interval '1 millisecond'`, { keptMs });
}
