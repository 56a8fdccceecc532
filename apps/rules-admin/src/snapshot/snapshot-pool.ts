import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import type { ClientBase } from 'pg';
import type { RulesAdminConfig } from '../config.js';
import { DatabaseConnection } from '../database/database-connection.js';
import { SidePool } from '../database/side-pool.js';
import { CONFIG, LOGGER } from '../tokens.js';

/** Connections of the snapshot's own: one for the version row, one for a build. Nodes should not stand in the queue of the writers. */
@Injectable()
export class SnapshotPool implements OnApplicationShutdown {
  private readonly pool: SidePool;

  constructor(
    private readonly database: DatabaseConnection,
    @Inject(CONFIG) config: RulesAdminConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.pool = new SidePool({ url: config.databaseUrl, name: 'snapshot', size: 2, logger });
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  /** @throws DatabaseUnavailable before the schema is there, and what pg throws */
  async use<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    this.database.assertReady();
    return this.pool.use(work);
  }
}
