import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column.js';
import { VersionedRow } from '../database/versioned-row.js';
import { PlanRow } from '../plans/plan.entity.js';
import type { RuleDefinition } from '../rules/rule.entity.js';

/** What a rule shall become, beside the version in force (R58). One a rule, under its id; its versions are its own. */
@Entity('proposal')
@Check('proposal_limit_is_positive', "(definition ->> 'limit')::numeric >= 1")
@Index('proposal_plan', ['plan'])
@Index('proposal_changed_at_version', ['changedAtVersion'])
export class ProposalRow extends VersionedRow {
  @PrimaryColumn({ name: 'rule_id', type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'plan', type: 'text', collation: 'C', nullable: true })
  plan!: string | null;

  @Column({ name: 'endpoint', type: 'text', nullable: true })
  endpoint!: string | null;

  @Column({ name: 'definition', type: 'jsonb' })
  definition!: RuleDefinition;

  /** The rule's version that it was proposed to replace. */
  @Column({ name: 'base_version', ...BIGINT })
  baseVersion!: number;

  @ManyToOne(() => PlanRow, { onDelete: 'NO ACTION' })
  @JoinColumn({ name: 'plan', foreignKeyConstraintName: 'proposal_plan_fkey' })
  readonly planRow?: PlanRow;
}
