import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { tryLock } from '../database/try-lock.js';
import type { Swept } from '../sweeper/chore.js';
import { Sweeper } from '../sweeper/sweeper.js';

/** Who was away for longer fetches the whole snapshot. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const BATCH = 5_000;

/**
 * Forgets deletions of overrides after some time: they come and go by the thousand, and their ids are random, so that no later one goes on from the version of
 * an earlier one. Up to which version is noted in the same transaction, so that nobody is told changes since then as if they were all.
 */
@Injectable()
export class TombstoneLapse {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
    sweeper: Sweeper,
  ) {
    sweeper.add({ name: 'deletions_of_overrides', sweep: () => this.sweep() });
  }

  async sweep(keptMs = KEPT_MS): Promise<Swept> {
    const upTo = await lastVersionBefore(this.reader.manager, keptMs);
    if (upTo === undefined || !(await this.hasSome(upTo))) return { count: 0, more: false };
    // The row of versions is written, though no version is taken: nodes need not know.
    const count = await this.writer.write((tx) => forget(tx.manager, upTo), { before: async (manager) => ((await tryLock(manager, 'tombstone-lapse')) ? undefined : 0) });
    return { count, more: count === BATCH };
  }

  private async hasSome(upTo: string): Promise<boolean> {
    const [row] = await this.reader.manager.query<{ some: boolean }[]>(`SELECT EXISTS (SELECT 1 FROM tombstone WHERE kind = 'override' AND changed_at_version <= $1) AS some`, [upTo]);
    return row?.some === true;
  }
}

/** A bigint, as text. */
async function lastVersionBefore(manager: EntityManager, ageMs: number): Promise<string | undefined> {
  const [row] = await manager.query<{ version: string }[]>(
    `SELECT version FROM config_change WHERE changed_at < clock_timestamp() - $1 * interval '1 millisecond' ORDER BY changed_at DESC LIMIT 1`,
    [ageMs],
  );
  return row?.version;
}

/** The oldest first, so that what is left is all that there was after some version. */
async function forget(manager: EntityManager, upTo: string): Promise<number> {
  const [forgotten] = await manager.query<[{ version: string }[], number]>(
    `DELETE FROM tombstone WHERE kind = 'override' AND id IN (
       SELECT id FROM tombstone WHERE kind = 'override' AND changed_at_version <= $1 ORDER BY changed_at_version LIMIT ${BATCH})
     RETURNING changed_at_version AS version`,
    [upTo],
  );
  const last = forgotten.reduce((most, { version }) => Math.max(most, Number(version)), 0);
  await manager.query('UPDATE config_version SET deletions_forgotten_version = greatest(deletions_forgotten_version, $1)', [last]);
  return forgotten.length;
}
