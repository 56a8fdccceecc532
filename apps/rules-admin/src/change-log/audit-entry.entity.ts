import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column.js';
import type { ResourceKind } from '../database/tombstone.entity.js';

/** What a version did to a resource; `baseline` says how it was when the log began. */
export const AUDIT_ACTIONS = ['baseline', 'created', 'updated', 'deleted'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One resource that a version changed, before and after. Append-only, by a trigger (R60). */
@Entity('audit_entry')
@Check('audit_entry_action', "action IN ('baseline', 'created', 'updated', 'deleted')")
@Index('audit_entry_resource', ['kind', 'id', 'version', 'ordinal'])
export class AuditEntryRow {
  /** Global version of the change. */
  @PrimaryColumn({ name: 'version', ...BIGINT })
  version!: number;

  /** Place among the changes of one version, from 0. */
  @PrimaryColumn({ name: 'ordinal', type: 'integer' })
  ordinal!: number;

  @Column({ name: 'kind', type: 'text' })
  kind!: ResourceKind;

  @Column({ name: 'id', type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'action', type: 'text' })
  action!: AuditAction;

  /** The resource's version before, null where there was none. */
  @Column({ name: 'from_version', ...BIGINT, nullable: true })
  fromVersion!: number | null;

  @Column({ name: 'to_version', ...BIGINT, nullable: true })
  toVersion!: number | null;

  /** As the API shows it; never a secret or its hash. */
  @Column({ name: 'before', type: 'jsonb', nullable: true })
  before!: object | null;

  @Column({ name: 'after', type: 'jsonb', nullable: true })
  after!: object | null;

  /** What the change was for, where that cannot be seen from it: `rolled back to version 3`. */
  @Column({ name: 'note', type: 'text', nullable: true })
  note!: string | null;
}
