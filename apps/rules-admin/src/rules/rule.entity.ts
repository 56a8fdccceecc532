import type { Rule } from '@sluice/rules';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { VersionedRow } from '../database/versioned-row.js';
import { PlanRow } from '../plans/plan.entity.js';

/** Everything that a rule says beside its id, version, plan and endpoint. */
export type RuleDefinition = Omit<Rule, 'rule_id' | 'version' | 'plan' | 'endpoint'>;

/**
 * A rule. Plan and endpoint are columns, since the database guards and finds by them; the rest is one document, whose shape is
 * `@sluice/rules`' to say, so that a new field of a rule needs no migration here.
 */
@Entity('rule')
@Index('rule_changed_at_version', ['changedAtVersion'])
@Check('rule_limit_is_positive', "(definition ->> 'limit')::numeric >= 1")
@Index('rule_plan_endpoint', ['plan', 'endpoint'])
export class RuleRow extends VersionedRow {
  @PrimaryColumn({ name: 'rule_id', type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'plan', type: 'text', collation: 'C', nullable: true })
  plan!: string | null;

  @Column({ name: 'endpoint', type: 'text', nullable: true })
  endpoint!: string | null;

  @Column({ name: 'definition', type: 'jsonb' })
  definition!: RuleDefinition;

  @ManyToOne(() => PlanRow, { onDelete: 'NO ACTION' })
  @JoinColumn({ name: 'plan', foreignKeyConstraintName: 'rule_plan_fkey' })
  readonly planRow?: PlanRow;
}
