import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { settleOverrides } from '../overrides/settle-overrides.js';
import { settleProposals } from '../proposals/settle-proposals.js';
import { CommitSignal } from './commit-signal.js';
import { ConfigTransaction } from './config-transaction.js';
import { DatabaseConnection } from './database-connection.js';

interface VersionRecord {
  readonly version: string;
  readonly snapshot_version: string;
}

/** What may come before a write. */
export interface WriteOptions<T> {
  /** Runs first in the transaction, before the version lock is waited for. What it returns is the result, and there is no write; undefined goes on. */
  readonly before?: (manager: EntityManager) => Promise<T | undefined>;
}

/**
 * All writes go through here, one at a time: each transaction first locks the version row, so that versions are handed out in commit
 * order (R54). A reader that has seen version n will never find a change with a version up to n that it did not see.
 */
@Injectable()
export class ConfigWriter {
  constructor(
    private readonly database: DatabaseConnection,
    private readonly commits: CommitSignal,
  ) {}

  /** Runs `work` in one transaction, which also leaves word for the nodes in the outbox. Whatever `work` throws undoes all. */
  async write<T>(work: (tx: ConfigTransaction) => Promise<T>, { before }: WriteOptions<T> = {}): Promise<T> {
    const { result, announced } = await this.database.source.transaction('READ COMMITTED', async (manager) => {
      const instead = await before?.(manager);
      if (instead !== undefined) return { result: instead, announced: undefined };
      const tx = await locked(manager);
      const result = await work(tx);
      await settleOverrides(tx);
      await settleProposals(tx);
      await tx.log();
      return { result, announced: tx.announced };
    });
    if (announced !== undefined) this.commits.committed();
    return result;
  }

  /** What a write would come to: runs `work` as {@link write} does, and undoes it. */
  async rehearse<T>(work: (tx: ConfigTransaction) => Promise<T>): Promise<T> {
    const runner = this.database.source.createQueryRunner();
    try {
      await runner.startTransaction('READ COMMITTED');
      const tx = await locked(runner.manager);
      const result = await work(tx);
      await settleOverrides(tx);
      await settleProposals(tx);
      return result;
    } finally {
      // A connection that was lost has undone it already.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }
}

/** Waits for the row that only one writer holds. */
async function locked(manager: EntityManager): Promise<ConfigTransaction> {
  const [row] = await manager.query<VersionRecord[]>('SELECT version, snapshot_version FROM config_version FOR UPDATE');
  if (row === undefined) throw new Error('The row of config_version is gone.');
  return new ConfigTransaction(manager, { version: Number(row.version), snapshotVersion: Number(row.snapshot_version) });
}
