import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import { invalid } from '../input/invalid.js';
import { decodeCursor, encodeCursor } from '../paging/cursor.js';
import { type ListQuery, pageLimit } from '../paging/list-query.dto.js';
import { type Page, pageTag } from '../paging/page-reader.js';
import type { AuditEntryResource } from './audit-entry.dto.js';
import { logCondition, type LogFilter, type LogPlace } from './log-filter.js';

/** Which part of the log is asked for. */
export interface LogRequest {
  /** Name of the list; cursors of one are none of another. */
  readonly name: string;
  readonly filter: LogFilter;
  readonly query: ListQuery;
  /** Whether the caller holds the page with this tag. */
  readonly isHeld: (opaque: string) => boolean;
}

/** An entry, and its place among those of its version. */
export interface LogRecord extends Omit<AuditEntryResource, 'note'>, LogPlace {
  readonly note: string | null;
}

/** Pages of the change log, the newest first. A page is cut by its last entry, so that what is written meanwhile neither moves nor repeats anything (R53, R60). */
@Injectable()
export class LogReader {
  constructor(private readonly config: ConfigReader) {}

  /** @throws ProblemException 400 for a cursor that is not of this list */
  read({ name, filter, query, isHeld }: LogRequest): Promise<Page<LogRecord>> {
    const list = `${name}-${createHash('sha256').update(JSON.stringify(Object.entries(filter).sort())).digest('base64url').slice(0, 12)}`;
    const before = query.cursor === undefined ? undefined : placeIn(list, query.cursor);
    const limit = pageLimit(query);
    return this.config.consistently(async (manager, version) => {
      const tag = pageTag(version, `${list} ${limit} ${query.cursor ?? ''}`);
      if (isHeld(tag)) return { status: 'held', tag };
      const found = await recordsOf(manager, filter, { before, limit: limit + 1 });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const nextCursor = found.length > limit && last !== undefined ? encodeCursor(list, `${last.version}.${last.ordinal}`) : null;
      return { status: 'page', tag, rows, nextCursor, version: version.version };
    });
  }
}

function placeIn(list: string, cursor: string): LogPlace {
  const [, version, ordinal] = /^(\d{1,15})\.(\d{1,9})$/.exec(decodeCursor(list, cursor) ?? '') ?? [];
  if (version === undefined || ordinal === undefined) throw invalid([{ pointer: '/query/cursor', detail: 'must be the next_cursor of a page of this list with the same filters' }]);
  return { version: Number(version), ordinal: Number(ordinal) };
}

interface StoredRecord extends Omit<LogRecord, 'version' | 'from_version' | 'to_version'> {
  readonly version: string;
  readonly from_version: string | null;
  readonly to_version: string | null;
}

async function recordsOf(manager: EntityManager, filter: LogFilter, { before, limit }: { readonly before: LogPlace | undefined; readonly limit: number }): Promise<readonly LogRecord[]> {
  const { sql, parameters } = logCondition(filter, before);
  const rows = await manager.query<StoredRecord[]>(
    `SELECT entry.version, entry.ordinal, to_char(change.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, change.actor, change.request_id,
            entry.kind, entry.id, entry.action, entry.from_version, entry.to_version, entry.before, entry.after, entry.note
     FROM audit_entry AS entry JOIN config_change AS change ON change.version = entry.version
     WHERE ${sql} ORDER BY entry.version DESC, entry.ordinal DESC LIMIT ${limit}`,
    [...parameters],
  );
  const number = (value: string | null): number | null => (value === null ? null : Number(value));
  return rows.map((row) => ({ ...row, version: Number(row.version), from_version: number(row.from_version), to_version: number(row.to_version) }));
}
