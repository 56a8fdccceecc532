import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import type { ConfigVersionRow } from '../database/config-version.entity.js';
import type { FieldFilter, VersionedTable } from '../database/versioned-table.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { invalid } from '../input/invalid.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { type ListQuery, pageLimit } from './list-query.dto.js';

/** A filter whose list changes with the clock, and not with versions alone. */
export interface TimedFilter {
  /** `live=true` */
  readonly name: string;
  /** A condition on `row` that says the time by `now()`. */
  readonly where: string;
  /** Changes whenever time changed the list. */
  readonly asOf: (manager: EntityManager) => Promise<string>;
}

/** Which list is asked for. */
export interface ListRequest<Row extends VersionedRow> {
  /** Name of the list, `rules`. */
  readonly name: string;
  readonly table: VersionedTable<Row>;
  readonly query: ListQuery;
  readonly filters: readonly FieldFilter[];
  readonly timed?: TimedFilter | undefined;
  /** Whether the caller holds the page with this tag. */
  readonly isHeld: (opaque: string) => boolean;
}

/** One page as of one version, or word that the caller holds it. */
export type Page<Row> =
  | { readonly status: 'held'; readonly tag: string }
  | { readonly status: 'page'; readonly tag: string; readonly rows: readonly Row[]; readonly nextCursor: string | null; readonly version: number };

/** Every list of the API: keyset pages by id, all of a page as of one commit, tagged by global version and query (R53). */
@Injectable()
export class PageReader {
  constructor(private readonly config: ConfigReader) {}

  /** @throws ProblemException 400 for a cursor that is not of this list */
  read<Row extends VersionedRow>({ name, table, query, filters, timed, isHeld }: ListRequest<Row>): Promise<Page<Row>> {
    const list = [name, ...filters.map(({ property, value }) => `${property}=${value}`), ...(timed === undefined ? [] : [timed.name])].join('&');
    const after = query.cursor === undefined ? undefined : decodeCursor(list, query.cursor);
    if (query.cursor !== undefined && after === undefined) throw invalid([{ pointer: '/query/cursor', detail: 'must be the next_cursor of a page of this list with the same filters' }]);
    const limit = pageLimit(query);
    return this.config.consistently(async (manager, version) => {
      const tag = pageTag(version, `${list} ${limit} ${query.cursor ?? ''} ${(await timed?.asOf(manager)) ?? ''}`);
      if (isHeld(tag)) return { status: 'held', tag };
      const found = await table.page(manager, { after, limit: limit + 1, filters, where: timed?.where });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const nextCursor = found.length > limit && last !== undefined ? encodeCursor(list, last.id) : null;
      return { status: 'page', tag, rows, nextCursor, version: version.version };
    });
  }
}

/** The tag of a page: the same version and the same question have the same answer. */
export function pageTag({ version, epoch }: Pick<ConfigVersionRow, 'version' | 'epoch'>, query: string): string {
  return `l${version}-${epoch}-${createHash('sha256').update(query).digest('base64url').slice(0, 12)}`;
}
