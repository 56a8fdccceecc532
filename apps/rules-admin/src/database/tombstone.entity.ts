import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BIGINT } from './bigint-column.js';

/** Kinds of resources. */
export const RESOURCE_KINDS = ['plan', 'tenant', 'key', 'rule', 'override', 'token', 'proposal'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** What remains of a deleted resource: nodes that were away learn of the deletion, and its version goes on if it comes back. */
@Entity('tombstone')
export class TombstoneRow {
  @PrimaryColumn({ name: 'kind', type: 'text' })
  kind!: ResourceKind;

  @PrimaryColumn({ name: 'id', type: 'text', collation: 'C' })
  id!: string;

  /** The resource's version at its end. */
  @Column({ name: 'version', ...BIGINT })
  version!: number;

  /** Global version of the deletion. */
  @Index('tombstone_changed_at_version')
  @Column({ name: 'changed_at_version', ...BIGINT })
  changedAtVersion!: number;
}
