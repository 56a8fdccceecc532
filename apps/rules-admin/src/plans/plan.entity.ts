import type { QuotaJson } from '@sluice/rules';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { VersionedRow } from '../database/versioned-row.js';

/** A plan. */
@Entity('plan')
@Index('plan_changed_at_version', ['changedAtVersion'])
export class PlanRow extends VersionedRow {
  @PrimaryColumn({ name: 'plan_id', type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'name', type: 'text', nullable: true })
  name!: string | null;

  @Column({ name: 'default_limit', type: 'jsonb', nullable: true })
  defaultLimit!: QuotaJson | null;
}
