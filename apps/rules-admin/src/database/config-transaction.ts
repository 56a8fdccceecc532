import type { EntityManager } from 'typeorm';
import type { ResourceChange } from '../change-log/resource-change.js';
import { writeChangeLog } from '../change-log/write-change-log.js';

/** Who must learn of a change: only who lists things, or the nodes too. */
export type Reach = 'lists' | 'nodes';

/** The versions as a transaction found them when it got the lock. */
export interface LockedVersions {
  readonly version: number;
  readonly snapshotVersion: number;
}

/** One write: the one holder of the version row. A transaction that changes nothing takes no version (known failure 54). */
export class ConfigTransaction {
  private taken: number | undefined;
  private reachesNodes = false;
  private readonly changes: ResourceChange[] = [];
  private note: string | null = null;

  constructor(
    readonly manager: EntityManager,
    private readonly locked: LockedVersions,
  ) {}

  /** The version that the rows changed in this transaction carry; all of them carry the same. */
  async versionFor(reach: Reach): Promise<number> {
    const next = this.locked.version + 1;
    const news = this.taken === undefined || (reach === 'nodes' && !this.reachesNodes);
    this.reachesNodes ||= reach === 'nodes';
    if (news) {
      await this.manager.query('UPDATE config_version SET version = $1, snapshot_version = $2', [next, this.reachesNodes ? next : this.locked.snapshotVersion]);
      this.taken = next;
    }
    return next;
  }

  /** Notes what was done to a resource under the version that this transaction has taken. */
  record(change: ResourceChange): void {
    this.changes.push(change);
  }

  /** Says in the log what the changes of this transaction are for, where they do not show it themselves. */
  annotate(note: string): void {
    this.note = note;
  }

  /** What was done so far. */
  get recorded(): readonly ResourceChange[] {
    return this.changes;
  }

  /** Writes the log of the version, last of all; of a transaction that took none there is nothing to say. */
  async log(): Promise<void> {
    if (this.taken !== undefined) await writeChangeLog(this.manager, { version: this.taken, reachesNodes: this.reachesNodes, changes: this.changes, note: this.note });
  }

  /** The version that its changes have, or that it found while there are none. */
  get version(): number {
    return this.taken ?? this.locked.version;
  }

  /** The version that nodes must be told of after the commit, if any. */
  get announced(): number | undefined {
    return this.reachesNodes ? this.taken : undefined;
  }
}
