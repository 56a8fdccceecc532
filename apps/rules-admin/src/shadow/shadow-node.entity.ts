import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A run of a node that counts for rules in shadow. */
@Entity('shadow_node')
export class ShadowNodeRow {
  @PrimaryColumn({ name: 'node_id', type: 'text', collation: 'C' })
  nodeId!: string;

  /** All that it counted before this time is here. */
  @Column({ name: 'complete_until', type: 'timestamptz' })
  completeUntil!: Date;

  @Column({ name: 'seen_at', type: 'timestamptz' })
  seenAt!: Date;
}
