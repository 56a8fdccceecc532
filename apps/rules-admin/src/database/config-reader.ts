import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConfigVersionRow } from './config-version.entity.js';
import { DatabaseConnection } from './database-connection.js';

/** Reads what belongs together as of one moment. */
@Injectable()
export class ConfigReader {
  constructor(private readonly database: DatabaseConnection) {}

  /** The versions now; one row. */
  currentVersion(manager: EntityManager = this.database.source.manager): Promise<ConfigVersionRow> {
    return manager.findOneByOrFail(ConfigVersionRow, { id: 1 });
  }

  /** Runs `read` on one consistent state, and says which: under REPEATABLE READ all its queries see the commit that the first one saw. */
  consistently<T>(read: (manager: EntityManager, version: ConfigVersionRow) => Promise<T>): Promise<T> {
    return this.database.source.transaction('REPEATABLE READ', async (manager) => read(manager, await this.currentVersion(manager)));
  }

  /** For single reads. */
  get manager(): EntityManager {
    return this.database.source.manager;
  }
}
