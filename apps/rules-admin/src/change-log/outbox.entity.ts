import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column.js';

/** A version that nodes have to be told of; written with the change, gone once it was told (R55). */
@Entity('outbox')
export class OutboxRow {
  @PrimaryColumn({ name: 'version', ...BIGINT })
  version!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
