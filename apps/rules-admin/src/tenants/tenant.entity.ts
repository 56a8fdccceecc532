import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { VersionedRow } from '../database/versioned-row.js';
import { PlanRow } from '../plans/plan.entity.js';

/** A tenant on its plan. */
@Entity('tenant')
@Index('tenant_changed_at_version', ['changedAtVersion'])
export class TenantRow extends VersionedRow {
  @PrimaryColumn({ name: 'tenant_id', type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'name', type: 'text' })
  name!: string;

  @Index('tenant_plan_id')
  @Column({ name: 'plan_id', type: 'text', collation: 'C' })
  planId!: string;

  @ManyToOne(() => PlanRow, { onDelete: 'NO ACTION' })
  @JoinColumn({ name: 'plan_id', foreignKeyConstraintName: 'tenant_plan_id_fkey' })
  readonly plan?: PlanRow;
}
