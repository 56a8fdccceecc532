import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import type { ConfigVersionRow } from '../database/config-version.entity.js';
import { PLANS, RULES } from '../database/tables.js';
import { TombstoneRow } from '../database/tombstone.entity.js';
import { SnapshotState } from './snapshot-state.js';

/**
 * The snapshot that nodes poll (R54). A poll costs one row as long as nothing changed; a version is read and built once, in one
 * consistent read, however many nodes ask for it.
 */
@Injectable()
export class SnapshotService {
  private latest: SnapshotState | undefined;
  private building: Promise<SnapshotState> | undefined;

  constructor(private readonly reader: ConfigReader) {}

  /** The version in force. */
  current(): Promise<ConfigVersionRow> {
    return this.reader.currentVersion();
  }

  /**
   * The state at this version, or at a newer one. One build at a time, so that a burst of writes does not make as many: a build that was
   * under way may be too old, the one after it is not.
   */
  async stateAt(wanted: ConfigVersionRow): Promise<SnapshotState> {
    if (this.isAt(this.latest, wanted)) return this.latest;
    const underWay = await this.building;
    return this.isAt(underWay, wanted) ? underWay : this.build();
  }

  private isAt(state: SnapshotState | undefined, { snapshotVersion, epoch }: ConfigVersionRow): state is SnapshotState {
    return state?.epoch === epoch && state.version >= snapshotVersion;
  }

  private build(): Promise<SnapshotState> {
    this.building ??= this.read()
      .then((state) => (this.latest = state))
      .finally(() => {
        this.building = undefined;
      });
    return this.building;
  }

  private read(): Promise<SnapshotState> {
    return this.reader.consistently(async (manager, version) => {
      const plans = await PLANS.all(manager);
      const rules = await RULES.all(manager);
      const tombstones = await manager.findBy(TombstoneRow, { kind: In(['plan', 'rule']) });
      return new SnapshotState({ version, plans, rules, tombstones });
    });
  }
}
