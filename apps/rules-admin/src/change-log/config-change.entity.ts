import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column.js';

/** One version: when, by whom, and whether nodes are concerned. Append-only, by a trigger (R60). */
@Entity('config_change')
@Index('config_change_actor', ['actor', 'version'])
export class ConfigChangeRow {
  @PrimaryColumn({ name: 'version', ...BIGINT })
  version!: number;

  /** Rises with the version, whatever the clock does. */
  @Index('config_change_changed_at')
  @Column({ name: 'changed_at', type: 'timestamptz' })
  changedAt!: Date;

  /** `token:NAME`, `oidc:SUBJECT` or `system:NAME`. */
  @Column({ name: 'actor', type: 'text' })
  actor!: string;

  @Index('config_change_request_id')
  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null;

  @Column({ name: 'reaches_nodes', type: 'boolean' })
  reachesNodes!: boolean;
}
