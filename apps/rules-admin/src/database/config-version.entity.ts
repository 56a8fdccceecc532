import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from './bigint-column.js';

/** The one row that every write locks first (R54). */
@Entity('config_version')
@Check('config_version_one_row', 'id = 1')
@Check('config_version_order', 'snapshot_version BETWEEN 0 AND version')
export class ConfigVersionRow {
  @PrimaryColumn({ name: 'id', type: 'smallint', default: 1 })
  id!: number;

  /** Version of everything: each change of anything gets the next one. */
  @Column({ name: 'version', ...BIGINT })
  version!: number;

  /** The last version that changed what nodes hold or cached: plans and rules, keys disabled, tenants moved. */
  @Column({ name: 'snapshot_version', ...BIGINT })
  snapshotVersion!: number;

  /** Deletions up to this version may have been forgotten: what a reader missed before it, he cannot be told by changes. */
  @Column({ name: 'deletions_forgotten_version', ...BIGINT, default: 0 })
  deletionsForgottenVersion!: number;

  /** When the version was committed, by the database's clock; rises with it. */
  @Column({ name: 'changed_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  changedAt!: Date;

  /** When the last version that reached nodes was committed: what tells it from one of the same number in another history. */
  @Column({ name: 'snapshot_changed_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  snapshotChangedAt!: Date;

  /** Names this life of the database: versions of another one mean something else. Begins anew when the database is found to have been restored (`DatabaseLife`). */
  @Column({ name: 'epoch', type: 'text' })
  epoch!: string;

  /** Where the database was when the epoch began; null until it was first looked. */
  @Column({ name: 'home', type: 'text', nullable: true })
  home!: string | null;
}
