import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConfigReader } from '../database/config-reader.js';
import type { ResourceKind } from '../database/tombstone.entity.js';

/** Versions of single resources, from the log. */
@Injectable()
export class HistoryService {
  constructor(private readonly reader: ConfigReader) {}

  /** The resource as it was at its own version, as the API showed it; undefined when the log does not have it. */
  async atVersion(kind: ResourceKind, id: string, version: number, manager: EntityManager = this.reader.manager): Promise<object | undefined> {
    const [found] = await manager.query<{ after: object }[]>(
      `SELECT after FROM audit_entry WHERE kind = $1 AND id = $2 AND to_version = $3 ORDER BY version DESC, ordinal DESC LIMIT 1`,
      [kind, id, version],
    );
    return found?.after;
  }
}
