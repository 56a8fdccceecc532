import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import { PLANS, RULES } from '../database/tables.js';
import { TombstoneRow } from '../database/tombstone.entity.js';
import { SnapshotState, snapshotTag } from './snapshot-state.js';

/**
 * The snapshot that nodes poll (R54). A poll costs one row as long as nothing changed; a version is read and built once, in one
 * consistent read, however many nodes ask for it.
 */
@Injectable()
export class SnapshotService {
  private latest: SnapshotState | undefined;
  private building: { readonly tag: string; readonly state: Promise<SnapshotState> } | undefined;

  constructor(private readonly reader: ConfigReader) {}

  /** Tag and epoch of the version in force. */
  async current(): Promise<{ readonly tag: string; readonly epoch: string }> {
    const version = await this.reader.currentVersion();
    return { tag: snapshotTag(version), epoch: version.epoch };
  }

  /** The state with this tag, or a newer one. */
  state(tag: string): Promise<SnapshotState> {
    if (this.latest?.tag === tag) return Promise.resolve(this.latest);
    if (this.building?.tag === tag) return this.building.state;
    const state = this.build();
    this.building = { tag, state };
    return state.finally(() => {
      if (this.building?.state === state) this.building = undefined;
    });
  }

  private async build(): Promise<SnapshotState> {
    const state = await this.reader.consistently(async (manager, version) => {
      const plans = await PLANS.all(manager);
      const rules = await RULES.all(manager);
      const tombstones = await manager.findBy(TombstoneRow, { kind: In(['plan', 'rule']) });
      return new SnapshotState({ version, plans, rules, tombstones });
    });
    // Two builds may end in the other order.
    if (this.latest === undefined || this.latest.epoch !== state.epoch || this.latest.version < state.version) this.latest = state;
    return state;
  }
}
