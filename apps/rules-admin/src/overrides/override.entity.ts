import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column.js';
import { VersionedRow } from '../database/versioned-row.js';
import { KeyRow } from '../keys/key.entity.js';

/** Another limit of one rule for one key, until it expires (R50). It always does. */
@Entity('override')
@Index('override_changed_at_version', ['changedAtVersion'])
@Index('override_rule_id_key_id', ['ruleId', 'keyId'])
@Check('override_limit_is_positive', '"limit" >= 1')
export class OverrideRow extends VersionedRow {
  @PrimaryColumn({ name: 'override_id', type: 'text', collation: 'C' })
  id!: string;

  /** A rule's id, or `plan:` and a plan's; no foreign key can say that, see `settle-overrides.ts`. */
  @Column({ name: 'rule_id', type: 'text', collation: 'C' })
  ruleId!: string;

  @Index('override_key_id')
  @Column({ name: 'key_id', type: 'text', collation: 'C' })
  keyId!: string;

  /** Permits per window of the rule. */
  @Column({ name: 'limit', ...BIGINT })
  limit!: number;

  /** Null: the rule's, in proportion to the limits. */
  @Column({ name: 'burst', ...BIGINT, nullable: true })
  burst!: number | null;

  @Index('override_expires_at')
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** For people. */
  @Column({ name: 'reason', type: 'text', nullable: true })
  reason!: string | null;

  /** Checked at the end of the transaction, since the overrides of a deleted key go after it. */
  @ManyToOne(() => KeyRow, { onDelete: 'NO ACTION', deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'override_key_id_fkey' })
  readonly key?: KeyRow;
}
