import { Column } from 'typeorm';
import { BIGINT } from './bigint-column.js';

/** What every row of the control plane has that an admin can change. */
export abstract class VersionedRow {
  /** The resource's own id; subclasses name its column. */
  abstract id: string;

  /** Counts the changes of this resource, from 1; goes on after a deletion, so that an old tag never fits a new resource of the same id. */
  @Column({ name: 'version', ...BIGINT })
  version!: number;

  /** Global version of the last change (R54). */
  @Column({ name: 'changed_at_version', ...BIGINT })
  changedAtVersion!: number;
}

/** What a write sets; the rest is the table's to keep. */
export type FieldsOf<Row extends VersionedRow> = Omit<Row, 'id' | 'version' | 'changedAtVersion'>;
