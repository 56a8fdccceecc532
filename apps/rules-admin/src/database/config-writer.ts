import { Injectable } from '@nestjs/common';
import { CommitSignal } from './commit-signal.js';
import { ConfigTransaction } from './config-transaction.js';
import { DatabaseConnection } from './database-connection.js';

interface VersionRecord {
  readonly version: string;
  readonly snapshot_version: string;
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
  async write<T>(work: (tx: ConfigTransaction) => Promise<T>): Promise<T> {
    const { result, announced } = await this.database.source.transaction('READ COMMITTED', async (manager) => {
      const [locked] = await manager.query<VersionRecord[]>('SELECT version, snapshot_version FROM config_version FOR UPDATE');
      if (locked === undefined) throw new Error('The row of config_version is gone.');
      const tx = new ConfigTransaction(manager, { version: Number(locked.version), snapshotVersion: Number(locked.snapshot_version) });
      const result = await work(tx);
      await tx.log();
      return { result, announced: tx.announced };
    });
    if (announced !== undefined) this.commits.committed();
    return result;
  }
}
