import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column.js';

/** What one rule in shadow would have said in some time, as one node counted it; see {@link EVERY_KEY} and {@link EVERY_NODE}. */
@Entity('shadow_count')
@Index('shadow_count_starts_at', ['startsAt'])
export class ShadowCountRow {
  /** As in the snapshot: `proposed:<rule_id>` for a proposal. */
  @PrimaryColumn({ name: 'rule_id', type: 'text', collation: 'C' })
  ruleId!: string;

  @PrimaryColumn({ name: 'rule_version', ...BIGINT })
  ruleVersion!: number;

  /** A minute; of what is older than a day an hour. */
  @PrimaryColumn({ name: 'starts_at', type: 'timestamptz' })
  startsAt!: Date;

  @PrimaryColumn({ name: 'key', type: 'text', collation: 'C' })
  key!: string;

  /** One run of a node's process. */
  @PrimaryColumn({ name: 'node_id', type: 'text', collation: 'C' })
  nodeId!: string;

  @Column({ name: 'allowed', ...BIGINT })
  allowed!: number;

  @Column({ name: 'denied', ...BIGINT })
  denied!: number;

  @Column({ name: 'unknown', ...BIGINT })
  unknown!: number;
}

/** The key of a row that counts all keys of its rule, named or not. */
export const EVERY_KEY = '';

/** The node of a row that sums what several nodes counted. */
export const EVERY_NODE = '';
