import type { EntityManager, EntityTarget, QueryDeepPartialEntity } from 'typeorm';
import { type Precondition, type Refusal, refusalOf } from '../conditional/precondition.js';
import type { ConfigTransaction, Reach } from './config-transaction.js';
import { type ResourceKind, TombstoneRow } from './tombstone.entity.js';
import type { FieldsOf, VersionedRow } from './versioned-row.js';

/** PostgreSQL takes 65,535 parameters, and a tombstone has four. */
const ROWS_A_STATEMENT = 1_000;

/** What a conditional write came to. */
export type WriteOutcome<Row> =
  | { readonly status: 'created' | 'updated' | 'unchanged'; readonly row: Row }
  | { readonly status: 'refused'; readonly refusal: Refusal };

/** What a conditional deletion came to. */
export type RemovalOutcome = { readonly status: 'removed' | 'absent' } | { readonly status: 'refused'; readonly refusal: Refusal };

/** One field, as a condition on a list. */
export interface FieldFilter {
  readonly property: string;
  readonly value: string;
}

/** A part of a list. */
export interface PageRequest {
  readonly after: string | undefined;
  readonly limit: number;
  readonly filters: readonly FieldFilter[];
  /** A further condition on `row`, as code has it. */
  readonly where?: string | undefined;
}

/** A conditional write of a whole resource. */
export interface Put<Row extends VersionedRow> {
  readonly fields: FieldsOf<Row>;
  readonly precondition: Precondition;
  /** Whether the row says already what the fields say. */
  readonly isSame: (row: Row) => boolean;
  /** Called before a change that the precondition allows, with the row as it is, null where there is none. Throws while something stands in the way. */
  readonly review?: (row: Row | null) => Promise<void>;
  /** Who must learn of this change of the row, if not who learns of all. */
  readonly reach?: (row: Row) => Reach;
}

/** A conditional deletion. */
export interface Removal {
  readonly precondition: Precondition;
  /** Throws while something refers to the row. */
  readonly refuse?: () => Promise<void>;
  readonly reach?: Reach;
}

/** Reads and conditional writes of one kind of resource. All writes need the lock that a {@link ConfigTransaction} holds. */
export class VersionedTable<Row extends VersionedRow> {
  constructor(
    private readonly entity: EntityTarget<Row>,
    readonly kind: ResourceKind,
    private readonly reach: Reach,
    /** As the API shows it and the log keeps it: never a secret or its hash. */
    readonly toJson: (row: Row) => object,
  ) {}

  find(manager: EntityManager, id: string): Promise<Row | null> {
    return manager.createQueryBuilder(this.entity, 'row').where('row.id = :id', { id }).getOne();
  }

  all(manager: EntityManager): Promise<Row[]> {
    return manager.createQueryBuilder(this.entity, 'row').orderBy('row.id').getMany();
  }

  /** Ids and versions of all. */
  async versions(manager: EntityManager): Promise<readonly Pick<VersionedRow, 'id' | 'version'>[]> {
    const rows = await manager.createQueryBuilder(this.entity, 'row').select(['row.id AS id', 'row.version AS version']).getRawMany<{ id: string; version: string }>();
    return rows.map(({ id, version }) => ({ id, version: Number(version) }));
  }

  /** Those of the ids that are there, by id. */
  some(manager: EntityManager, ids: readonly string[]): Promise<Row[]> {
    return manager.createQueryBuilder(this.entity, 'row').where('row.id = ANY(:ids)', { ids }).orderBy('row.id').getMany();
  }

  /** Up to `limit` rows with ids after `after`, by id. */
  page(manager: EntityManager, { after, limit, filters, where }: PageRequest): Promise<Row[]> {
    const query = manager.createQueryBuilder(this.entity, 'row').orderBy('row.id').limit(limit);
    if (after !== undefined) query.andWhere('row.id > :after', { after });
    for (const { property, value } of filters) query.andWhere(`row.${property} = :${property}`, { [property]: value });
    if (where !== undefined) query.andWhere(where);
    return query.getMany();
  }

  /** Up to `limit` ids of rows with this value, in their order. */
  async idsWith(manager: EntityManager, property: string, value: string, limit: number): Promise<readonly string[]> {
    const rows = await manager.createQueryBuilder(this.entity, 'row').select('row.id', 'id').where(`row.${property} = :value`, { value }).orderBy('row.id').limit(limit).getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  /** Whether the id is there, or was there and was deleted. */
  async isKnown(manager: EntityManager, id: string): Promise<boolean> {
    return (await this.lastVersion(manager, id)) !== undefined;
  }

  /** The greatest version that the id ever had, also of what was deleted; undefined for an id that never was. */
  async lastVersion(manager: EntityManager, id: string): Promise<number | undefined> {
    const row = await this.find(manager, id);
    return row?.version ?? (await manager.findOneBy(TombstoneRow, { kind: this.kind, id }))?.version;
  }

  /** Creates or replaces, as the precondition allows; the same fields again change nothing and take no version. */
  async put(tx: ConfigTransaction, id: string, { fields, precondition, isSame, review, reach = () => this.reach }: Put<Row>): Promise<WriteOutcome<Row>> {
    const row = await this.find(tx.manager, id);
    const refusal = refusalOf(precondition, row?.version);
    if (refusal !== undefined) return { status: 'refused', refusal };
    if (row !== null && isSame(row)) return { status: 'unchanged', row };
    await review?.(row);
    if (row === null) return { status: 'created', row: await this.insert(tx, id, fields) };
    return { status: 'updated', row: await this.update(tx, row, fields, reach(row)) };
  }

  /** Adds a row; its version goes on from that of a deleted one of the same id. */
  async insert(tx: ConfigTransaction, id: string, fields: FieldsOf<Row>): Promise<Row> {
    const grave = { kind: this.kind, id };
    const tombstone = await tx.manager.findOneBy(TombstoneRow, grave);
    if (tombstone !== null) await tx.manager.delete(TombstoneRow, grave);
    const version = (tombstone?.version ?? 0) + 1;
    const values = { ...fields, id, version, changedAtVersion: await tx.versionFor(this.reach) };
    await tx.manager.createQueryBuilder().insert().into(this.entity).values(values as QueryDeepPartialEntity<Row>).execute();
    const row = await this.findAfterWrite(tx, id);
    tx.record({ kind: this.kind, id, action: 'created', fromVersion: null, toVersion: version, before: null, after: this.toJson(row) });
    return row;
  }

  /** Replaces fields of the version that was read. The lock makes a race impossible; the condition makes sure of it. */
  async update(tx: ConfigTransaction, row: Row, fields: Partial<FieldsOf<Row>>, reach: Reach = this.reach): Promise<Row> {
    const values = { ...fields, version: row.version + 1, changedAtVersion: await tx.versionFor(reach) };
    const { affected } = await tx.manager
      .createQueryBuilder()
      .update(this.entity)
      .set(values as QueryDeepPartialEntity<Row>)
      .where({ id: row.id, version: row.version })
      .execute();
    if (affected !== 1) throw new Error(`${this.kind} ${row.id} was not at version ${row.version} under the lock.`);
    const after = await this.findAfterWrite(tx, row.id);
    tx.record({ kind: this.kind, id: row.id, action: 'updated', fromVersion: row.version, toVersion: after.version, before: this.toJson(row), after: this.toJson(after) });
    return after;
  }

  /**
   * Deletes as the precondition allows and leaves a tombstone. What is not there is `absent` whatever the precondition says (RFC 9110
   * section 13.2.1).
   */
  async remove(tx: ConfigTransaction, id: string, { precondition, refuse, reach = this.reach }: Removal): Promise<RemovalOutcome> {
    const row = await this.find(tx.manager, id);
    if (row === null) return { status: 'absent' };
    const refusal = refusalOf(precondition, row.version);
    if (refusal !== undefined) return { status: 'refused', refusal };
    await refuse?.();
    const { affected } = await tx.manager
      .createQueryBuilder()
      .delete()
      .from(this.entity)
      .where({ id: row.id, version: row.version })
      .execute();
    if (affected !== 1) throw new Error(`${this.kind} ${row.id} was not at version ${row.version} under the lock.`);
    await tx.manager.insert(TombstoneRow, { kind: this.kind, id, version: row.version, changedAtVersion: await tx.versionFor(reach) });
    tx.record({ kind: this.kind, id, action: 'deleted', fromVersion: row.version, toVersion: null, before: this.toJson(row), after: null });
    return { status: 'removed' };
  }

  /** Deletes rows that were read under the lock, with few statements however many they are. */
  async removeAll(tx: ConfigTransaction, rows: readonly Row[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
      const some = rows.slice(from, from + ROWS_A_STATEMENT);
      const changedAtVersion = await tx.versionFor(this.reach);
      const { affected } = await tx.manager.createQueryBuilder().delete().from(this.entity).whereInIds(some.map(({ id }) => id)).execute();
      if (affected !== some.length) throw new Error(`Not every ${this.kind} was there under the lock.`);
      await tx.manager.insert(TombstoneRow, some.map(({ id, version }) => ({ kind: this.kind, id, version, changedAtVersion })));
      for (const row of some) tx.record({ kind: this.kind, id: row.id, action: 'deleted', fromVersion: row.version, toVersion: null, before: this.toJson(row), after: null });
    }
  }

  private async findAfterWrite(tx: ConfigTransaction, id: string): Promise<Row> {
    const row = await this.find(tx.manager, id);
    if (row === null) throw new Error(`${this.kind} ${id} is gone right after it was written.`);
    return row;
  }
}
