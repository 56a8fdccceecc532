import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientBase, Pool, types } from 'pg';
import type { RulesAdminConfig } from '../config.js';
import { DatabaseConnection } from '../database/database-connection.js';
import { SelfClosingClient } from '../database/self-closing-client.js';
import { CONFIG, LOGGER } from '../tokens.js';

const BIGINT_OID = 20;

/**
 * Connections of the snapshot's own: one for the version row, one for a build. Writers that queue for the version lock hold all connections of the other
 * pool, and nodes should not stand in that queue. Bigints come as numbers; ours stay below 2^53.
 */
@Injectable()
export class SnapshotPool implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(
    private readonly database: DatabaseConnection,
    @Inject(CONFIG) config: RulesAdminConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.pool = new Pool({
      connectionString: config.databaseUrl,
      application_name: 'sluice-rules-admin-snapshot',
      max: 2,
      Client: SelfClosingClient,
      keepAlive: true,
      connectionTimeoutMillis: 1_000,
      idleTimeoutMillis: 60_000,
      statement_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
      query_timeout: 6_000,
      types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === BIGINT_OID ? Number : types.getTypeParser(oid, format)) },
    });
    // A connection that was lost while nobody used it; the next use makes another one.
    this.pool.on('error', (error) => logger.debug({ err: error }, 'idle connection to the database lost'));
  }

  async onApplicationShutdown(): Promise<void> {
    // A server that hangs would not let go.
    await Promise.race([this.pool.end(), sleep(1_000, undefined, { ref: false })]);
  }

  /** @throws DatabaseUnavailable before the schema is there, and what pg throws */
  async use<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    this.database.assertReady();
    const client = await this.pool.connect();
    let failed = true;
    try {
      const result = await work(client);
      failed = false;
      return result;
    } finally {
      // After a failure it may be in the middle of anything.
      client.release(failed);
    }
  }
}
